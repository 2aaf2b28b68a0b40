"""Many strange inputs: `python -m tests.dsl.fuzz --inputs 1000000 --seed 0`.

Half are written by the grammar, with mistakes mixed in; half are files of the gallery with bytes and words
changed. Whatever comes in, nothing but a ThreatError may come out, within a second; and what is accepted must
keep the laws of the language.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from pathlib import Path
from random import Random

import dsl
from dsl.checking.fields import FIELDS
from dsl.checking.functions import FUNCTIONS
from dsl.reading.language import language

LIMIT = 1.0  # seconds an input may take
GALLERY = Path(__file__).parent.parent / "gallery"


def _words(text: str) -> list[str]:
    return text.split()


NUMBERS = _words(
    "0 1 2 3 5 7 10 64 100 1000 25_000 1e-5 1e-15 0.5 .25 1/8 2^64 2^-3 95% 150% -1 10^18 9^9^9^9 1e999 "
    "10^(10^9) 1/0 1e-400 N N/5 K K*2 log2(N) sqrt(N) ln(2) exp(-100) sqrt(2)*sqrt(2) queries decimals clip "
    "goal (((1))) min(N,2) max(K,3,4) floor(7/2) between(1,2) 2^0.5 0^-1 (-8)^(1/3) 3^3^3"
)
EXPECTED = _words("5 N N/5 log2(N) 50% K*2 sqrt(2) 1e3")
WORDS = _words("none all yes no full unlimited polynomial exponential arbitrary float64 kaggle sklearn bogus")
CALLS = _words(
    "bounded(1e-3) bounded(-1) uniform(-1,1) uniform(1,0) gaussian(0.1) gaussian() laplace(N) "
    "subexponential(4,4) multiplicative(0.1) multiplicative(2) fixed(8,8) fixed(0,0) significant(3) "
    'sklearn("1.5") sklearn("9") gaussian(1e-4..1e-1_log_3) bounded(1..3)'
)
FITTING = {
    "N": "1 569 25_000 10^18 K*100 ceil(sqrt(1000)) 2^20",
    "K": "2 3 10 2+1",
    "metric": "log_loss brier",
    "phi": "3 17 64 float16 float32 float64 arbitrary fixed(8,24) K*8",
    "score_phi": "phi float16 float32 float64",
    "noise": "none bounded(1/N) uniform(-0.1,0.1) gaussian(0.01) laplace(1/sqrt(2)) subexponential(4,4) "
    "multiplicative(12.4%) bounded(sqrt(2)/N)",
    "decimals": "0 2 5 full significant(6) truncated(4) K+1",
    "clip": "none 1e-15 2^-52 exp(-100) 1/(N+2) between(1e-16,1e-15) 1/sqrt(N)/4",
    "columns": "K",
    "scorer": "none sklearn torch_bce keras xgboost lightgbm kaggle ml_metrics "
    'sklearn("0.15") sklearn("1.5") sklearn("1.9")',
    "summation": "pairwise sequential",
    "renormalises": "yes no",
    "checks": "yes no",
    "queries": "0 300 N/5 log2(N) N*ln(N) unlimited sqrt(N)^3",
    "time": "polynomial exponential",
    "adaptive": "yes no",
    "goal": "all 99% 1/2 0.9 1-1/K",
    "confidence": "99% 7/8 0.5 1-1/(N+1)",
}
JUNK = [*_words("$ ' \" { } ( ) ; .. = <= ≤ φ é 😀 #"), "\n", "\t", "\x00", "\ufeff"]
INTERNAL = {each.name for each in language().terminals} | {
    name for rule in language().rules for name in (rule.origin.name, rule.alias or "") if "_" in name
}


def generate(random: Random) -> str:
    """A file written by the grammar, now and then a wrong one."""
    count = random.choice((1, 1, 1, 2, 3))
    return "\n".join(_scenario(random, index) for index in range(count))


def _scenario(random: Random, index: int) -> str:
    name = f"s{index if random.random() < 0.95 else 0}"
    parent = f" : s{random.randrange(2)}" if random.random() < 0.2 else ""
    title = random.choice(("", "", ' "a title"', ' "# \\"x\\" "'))
    lines = ["N = 1000"] if random.random() < 0.95 else []
    fields = random.sample(list(FIELDS)[1:], random.randrange(7))
    lines += [_statement(random, field if random.random() < 0.98 else "quries") for field in fields]
    separator = random.choice(("\n", "\n    ", "; ", "\n\n # note\n", " # note\n"))
    end = "}" if random.random() < 0.97 else ""
    return f"scenario {name}{parent}{title} {{\n{separator.join(lines)}\n{end}"


def _statement(random: Random, field: str) -> str:
    draw = random.random()
    if draw < 0.7:
        operator = FIELDS[field].operator if field in FIELDS and random.random() < 0.97 else "<="
        return f"{field} {operator} {_value(random, field)}"
    if draw < 0.85:
        return f"sweep {field} = {', '.join(_swept(random, field) for _ in range(random.randrange(1, 4)))}"
    if draw < 0.95:
        measure = random.choice(("queries", "exposure", "m", "bits"))
        bound = random.choice(EXPECTED if random.random() < 0.9 else NUMBERS)
        return f"expect {measure} {random.choice(('<=', '>=', '<', '>', '==', '='))} {bound}"
    return f"expect {random.choice(('feasible', 'impossible', 'unknown', 'safe'))}"


def _value(random: Random, field: str) -> str:
    if field in FITTING and random.random() < 0.93:
        return random.choice(FITTING[field].split())
    draw = random.random()
    if draw < 0.75:
        return _number(random, 0)
    return random.choice(CALLS).replace("_log_", " log ") if draw < 0.95 else random.choice(WORDS)


def _number(random: Random, depth: int) -> str:
    draw = random.random()
    if draw < 0.7 or depth > 3:
        return random.choice(NUMBERS)
    if draw < 0.8:
        return f"{random.choice(list(FUNCTIONS))}({_number(random, depth + 1)})"
    if draw < 0.85:
        return f"-({_number(random, depth + 1)})%"
    return f"({_number(random, depth + 1)}){random.choice('+-*/^')}{_number(random, depth + 1)}"


def _swept(random: Random, field: str) -> str:
    draw = random.random()
    if draw < 0.7:
        return _value(random, field)
    ends = f"{random.choice(NUMBERS)}..{random.choice(NUMBERS)}"
    return ends + random.choice(("", "", f" step {random.choice(NUMBERS)}", f" log {random.randrange(5)}", " by 2"))


def mutate(random: Random, data: bytes) -> bytes:
    """A file with some of its bytes or words changed."""
    changed = bytearray(data)
    for _ in range(random.randrange(1, 6)):
        at = random.randrange(len(changed) + 1)
        draw = random.random()
        if draw < 0.25:
            changed[at:at] = random.choice(JUNK).encode()
        elif draw < 0.45:
            del changed[at : at + random.randrange(1, 8)]
        elif draw < 0.6 and at < len(changed):
            changed[at] = random.randrange(256)
        elif draw < 0.75:
            start = random.randrange(len(changed) + 1)
            changed[at:at] = changed[start : start + random.randrange(1, 40)]
        else:
            changed[at:at] = f" {random.choice((*NUMBERS, *WORDS, *CALLS))} ".encode()
    return bytes(changed)


def inputs(random: Random) -> bytes:
    """One strange input."""
    if random.random() < 0.5:
        return generate(random).encode()
    files = _files()
    return mutate(random, files[random.randrange(len(files))])


_FILES: list[bytes] = []


def _files() -> list[bytes]:
    if not _FILES:
        _FILES.extend(path.read_bytes() for path in sorted(GALLERY.glob("*/*.threat")))
    return _FILES


def examine(data: bytes) -> bool:
    """Whether an input is accepted; an AssertionError, or whatever escapes, if a law is broken."""
    try:
        scenarios = dsl.loads(data, "fuzz.threat")
    except dsl.ThreatError as error:
        _diagnosed(error, data)
        return False
    text = dsl.format_text(data)
    assert dsl.format_text(text) == text, "formatting is idempotent"
    assert dsl.loads(text) == scenarios, "formatting keeps the meaning"
    for scenario in scenarios:
        assert dsl.loads(dsl.source(scenario)) == [scenario], "what is written back means the same"
        try:
            for point in islice(scenario.points(), 3):
                assert point.N >= 1
                assert not point.sweeps
        except dsl.ThreatError as error:
            _diagnosed(error, data)
    return True


def _diagnosed(error: dsl.ThreatError, data: bytes) -> None:
    assert error.diagnostics, "an error says what is wrong"
    assert list(error.diagnostics) == sorted(error.diagnostics, key=lambda each: each.order)
    assert error.render(color=False)
    assert error.render(color=True)
    assert error.to_json()
    for each in error.diagnostics:
        said = f"{each.message} {each.hint}".split()
        assert not any(word in INTERNAL and word.encode() not in data for word in said), said
        if each.span is not None:
            assert (each.span.line, each.span.column) <= (each.span.end_line, each.span.end_column)


def main(argv: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--inputs", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=0)
    arguments = options.parse_args(argv)
    random, accepted, slowest, began = Random(arguments.seed), 0, (0.0, b""), time.perf_counter()
    for number in range(arguments.inputs):
        data = inputs(random)
        start = time.process_time()
        try:
            accepted += examine(data)
        except BaseException:
            print(f"input {number} of seed {arguments.seed}:\n{data!r}", file=sys.stderr)
            raise
        slowest = max(slowest, (time.process_time() - start, data))
        if number % 50_000 == 0 and number:
            print(f"{number:,} inputs, {accepted:,} accepted, slowest {slowest[0]:.3f} s", file=sys.stderr, flush=True)
        if slowest[0] > LIMIT:
            print(f"{slowest[0]:.1f} s for input {number}:\n{data!r}", file=sys.stderr)
            return 1
    seconds = time.perf_counter() - began
    print(f"{arguments.inputs:,} inputs in {seconds:.0f} s, slowest {slowest[0]:.3f} s")
    print(f"{accepted:,} accepted, {arguments.inputs - accepted:,} diagnosed, nothing escaped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
