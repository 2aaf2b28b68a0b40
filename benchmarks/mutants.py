"""Mutation testing: small wrong changes of what certifies, excludes, decodes and bounds errors; do tests notice?

A seeded sample of mutants and all that were written by hand (tests/mutants/hand), each against the tests that enter
the changed function. A mutant that survives must be in tests/mutants/survivors.toml with its reason. Fails below 95 %
killed, on a survivor without a reason, on a mutant by hand whose text is gone, and where what killed fails without mutants.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from time import monotonic

from benchmarks._mutations import Mutant, function_at, mutants
from benchmarks._processes import preload
from benchmarks._trials import OTHERWISE, SPEND, SPEND_LITTLE, Bench, Trial, failing, try_all
from benchmarks._watching import Watched, is_fresh, is_held, tests_held, watch

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "mutants"
BY_HAND, SURVIVORS, GUARDS = FOLDER / "hand", FOLDER / "survivors.toml", FOLDER / "guards.toml"
SAMPLE, SEED, JOBS, LEAST = 500, 1, 2, 0.95

_PLANNER = ("tests/planner", "tests/attacks")
# What attacks share, but for searches.
_PROVED = ("inequalities", "parameters", "promise", "scope")
_SHARED = (*_PROVED, "explained", "lean", "levels", "numbers", "rungs", "scores", "sums")
_CHANNEL = ("channel", "conditions", "errors", "facts", "response", "secret", "sides")
_SPLITTING = ("bound", "classes", "guard", "nodes", "packing", "power_sums", "rows", "weighing")
_DESIGNS = ("base", "butterfly", "corner", "cube", "digits", "glue", "hadamard", "kary", "lindstrom", "seeds", "sets")
CHECKER = "threatplan/verify/"  # changed by hand alone: what it has to refuse, tests of tampering change
# What is changed, and the tests that are asked about it. Of these each mutant meets the ones that enter its function.
TARGETS: dict[str, tuple[str, ...]] = {
    "planner/certify.py": _PLANNER,
    "planner/limits/*.py": _PLANNER,
    "planner/planning.py": _PLANNER,
    "planner/ceiling.py": _PLANNER,
    "planner/exposing.py": _PLANNER,
    **{f"planner/attacks/{shared}.py": _PLANNER for shared in _SHARED},
    "planner/attacks/corners.py": _PLANNER,
    "planner/attacks/*/certify.py": _PLANNER,
    "planner/attacks/*/run.py": _PLANNER,
    "planner/attacks/*/parameters.py": _PLANNER,
    "planner/attacks/dither/settle.py": _PLANNER,
    "planner/attacks/dither/settling.py": _PLANNER,
    "planner/attacks/primes/trees.py": _PLANNER,
    **{f"planner/attacks/splitting/{part}.py": _PLANNER for part in _SPLITTING},
    "planner/attacks/spread/blocks.py": _PLANNER,
    "planner/attacks/spread/hadamard.py": _PLANNER,
    "planner/attacks/threshold/comparator.py": _PLANNER,
    **{f"planner/channel/{part}.py": _PLANNER for part in _CHANNEL},
    "planner/channel/formats/*.py": _PLANNER,
    "planner/channel/releases/*.py": _PLANNER,
    "planner/channel/mechanisms/*.py": _PLANNER,
    "planner/channel/metrics/*.py": _PLANNER,
    "planner/numerics/reals.py": _PLANNER,
    "planner/numerics/tails.py": _PLANNER,
    "planner/numerics/primes.py": _PLANNER,
    "planner/numerics/search.py": _PLANNER,
    # What chooses among designs is left out: whatever it chooses is certified.
    **{f"planner/designs/{part}.py": ("tests/designs", "tests/attacks") for part in _DESIGNS},
    f"{CHECKER}*.py": ("tests/verify", *_PLANNER),
    f"{CHECKER}metrics/*.py": ("tests/verify", *_PLANNER),
    **{f"threatplan/scoregate/{part}.py": ("tests/scoregate",) for part in ("gate", "journal", "scoring", "telling")},
    "planner/designs/ones.py": ("tests/attacks",),
    "planner/designs/balanced.py": ("tests/attacks",),
}


@dataclass(frozen=True)
class Known:
    """Mutants of which something is known. The texts are patterns, so that one entry can cover all changes of a constant."""

    file: str
    function: str
    old: str
    new: str

    def covers(self, mutant: Mutant) -> bool:
        """Whether the entry is about this mutant."""
        pairs = zip(mutant.key, (self.file, self.function, self.old, self.new), strict=True)
        return all(text == pattern or fnmatchcase(text, _literal(pattern)) for text, pattern in pairs)


@dataclass(frozen=True)
class Excuse(Known):
    """Why a mutant may survive."""

    why: str


@dataclass(frozen=True)
class Guard(Known):
    """Which test notices a mutant of the sample that few of the many tests of its module can notice: it is asked first."""

    guard: str


def _literal(pattern: str) -> str:
    """Source code as a pattern: only the star is special."""
    return pattern.replace("[", "[[]").replace("?", "[?]")


def excuses() -> list[Excuse]:
    """The survivors that are known, each with its reason."""
    return [Excuse(**one) for one in tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivor", [])]


def guards() -> list[Guard]:
    """The mutants of the sample whose guard is named."""
    return [Guard(**one) for one in tomllib.loads(GUARDS.read_text(encoding="utf-8")).get("guarded", [])]


def guarded(chosen: Sequence[Mutant]) -> dict[str, str]:
    """The test to ask first, for mutants that name one."""
    named = guards()
    found = ((one, one.guard or next((each.guard for each in named if each.covers(one)), "")) for one in chosen)
    return {one.known_as: guard for one, guard in found if guard}


def explained(mutant: Mutant, known: Sequence[Excuse]) -> bool:
    """Whether it may survive."""
    return any(each.covers(mutant) for each in known)


def by_hand() -> Iterator[Mutant]:
    """The mutants that people thought of: planted mistakes in proofs, decoders and the error model, among them every constant
    of a proof moved to the unsound side. `old` occurs once in its file. Where few of many tests can notice, `guard` names
    one that does: it is asked first.
    """
    read = [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(BY_HAND.glob("*.toml"))]
    for one in (each for room in read for each in room["mutant"]):
        source = (ROOT / one["file"]).read_text(encoding="utf-8")
        found = source.count(one["old"])
        if found != 1:
            raise SystemExit(f"{BY_HAND.name}/: {one['name']}: {one['old']!r} is {found} times in {one['file']}")
        line = source[: source.index(one["old"])].count("\n") + 1
        make = partial(source.replace, one["old"], one["new"])
        place = one["file"], function_at(source, line)
        yield Mutant(*place, one["old"], one["new"], line, make, one["name"], one.get("guard", ""))


def sampled(paths: Sequence[str], size: int, seed: int) -> list[Mutant]:
    """A sample of all mutants of the files that a change of one file leaves as it was in the others."""
    drawn = [path for path in paths if not path.startswith(CHECKER)]
    found = [one for path in drawn for one in mutants(path, (ROOT / path).read_text(encoding="utf-8"))]
    return sorted(found, key=lambda one: one.rank(seed))[:size]


def targets(only: str | None) -> list[str]:
    """The files to change."""
    found = sorted({path.relative_to(ROOT).as_posix() for pattern in TARGETS for path in ROOT.glob(pattern)})
    return [path for path in found if only is None or path.startswith(only) or fnmatchcase(path, only)]


def tests_of(paths: Sequence[str]) -> list[str]:
    """The test files for them, the large ones first so that workers end at about the same time."""
    asked = (tests for pattern, tests in TARGETS.items() if any(fnmatchcase(path, pattern) for path in paths))
    files = {path for tests in asked for folder in tests for path in (ROOT / folder).glob("test_*.py")}
    ordered = sorted(files, key=lambda path: (-path.stat().st_size, path.name))
    return [path.relative_to(ROOT).as_posix() for path in ordered]


@dataclass
class Kept:
    """What one run leaves the next: what tests enter, and which of them killed. Without a file, nothing."""

    file: Path | None
    watched: Watched
    killers: dict[str, str]

    @classmethod
    def of(cls, name: str | None) -> Kept:
        """What the file holds, if there is one."""
        file = Path(name) if name else None
        held = json.loads(file.read_text(encoding="utf-8")) if file and file.exists() else {}
        return cls(file, held.get("watched", {}), held.get("killers", {}))

    def write(self) -> None:
        """Into the file, if there is one."""
        if self.file:
            self.file.write_text(json.dumps({"watched": self.watched, "killers": self.killers}), encoding="utf-8")


# -- telling ------------------------------------------------------------------------------------------


def table(trials: Sequence[Trial]) -> Iterator[str]:
    """Killed of all, by file."""
    files: dict[str, list[Trial]] = defaultdict(list)
    for one in trials:
        files[one.mutant.path].append(one)
    for path, own in sorted(files.items()):
        killed = sum(one.killed for one in own)
        yield f"  {path:32} {killed:4} of {len(own):4}  {killed / len(own):6.1%}"


def summary(trials: Sequence[Trial], known: Sequence[Excuse]) -> str:
    """How many were killed, by what, and how many of the others have their reason."""
    by = Counter(one.by if one.by in OTHERWISE else "a test" for one in trials if one.killed)
    alive = [one for one in trials if not one.killed]
    reasons = sum(explained(one.mutant, known) for one in alive)
    how = ", ".join(f"{count} by {what}" for what, count in by.most_common())
    share = f"{by.total()} of {len(trials)} killed, {by.total() / len(trials):.1%}"
    return f"{share} ({how}); {reasons} of {len(alive)} survivors explained"


def verdict(trials: Sequence[Trial], known: Sequence[Excuse]) -> Iterator[str]:
    """What keeps the run from being right."""
    share = sum(one.killed for one in trials) / len(trials)
    if share < LEAST:
        yield f"{share:.1%} killed, less than {LEAST:.0%}"
    left = [one for one in trials if not one.killed and not explained(one.mutant, known)]
    if left:
        yield f"{len(left)} survivors without a reason"


def shown(trial: Trial, known: Sequence[Excuse]) -> str:
    """A survivor in full, ready to be written into the file of survivors."""
    one = trial.mutant
    why = next((each.why for each in known if each.covers(one)), "no reason is known")
    title = f"  # {one.name}\n" if one.name else ""
    return f"{title}  {one.path}:{one.line} {one.function} ({trial.tests} tests)\n    - {one.old}\n    + {one.new}\n    {why}"


def main(argv: Sequence[str] = ()) -> int:
    """Try the mutants and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=SAMPLE, metavar="N", help=f"mutants (default: {SAMPLE})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the sample (default: {SEED})")
    parser.add_argument("--only", metavar="PATH", help="files that begin so, or fit the pattern")
    parser.add_argument("--jobs", type=int, default=JOBS, help=f"processes at a time (default: {JOBS})")
    parser.add_argument("--hand", action="store_true", help="only those that were written by hand")
    parser.add_argument("--seen", metavar="FILE", help="keep here what tests enter and kill: quicker when asked again")
    parser.add_argument("--tests", nargs="+", metavar="FILE", help="ask these tests only")
    args = parser.parse_args(argv)
    begun, paths = monotonic(), targets(args.only)
    chosen = [one for one in by_hand() if one.path in paths]
    chosen += [] if args.hand else sampled(paths, args.sample, args.seed)
    if not chosen:
        parser.error("no mutant fits")
    preload()
    kept, known = Kept.of(args.seen), excuses()
    kept.killers.update(guarded(chosen))
    session = Session(tuple(args.tests or tests_of(paths)), args.jobs, kept, known)
    try:
        trials = session.trials(chosen)
    finally:
        kept.write()
    print("\n".join(table(trials)))
    print(f"{summary(trials, known)}, seed {args.seed}, in {(monotonic() - begun) / 60:.0f} minutes")
    faults = list(verdict(trials, known))
    print("\n".join(faults) if faults else "every survivor has its reason")
    return 1 if faults else 0


@dataclass(frozen=True)
class Session:
    """Mutants against test files, with what earlier runs have left."""

    files: tuple[str, ...]
    jobs: int
    kept: Kept
    known: Sequence[Excuse]

    def trials(self, chosen: Sequence[Mutant]) -> list[Trial]:
        """Every trial. A survivor without a reason is asked again where tests were seen before the code was changed."""
        self._watch([file for file in self.files if not is_held(ROOT, file, self.kept.watched)])
        found = self._tried(chosen)
        if stale := [file for file in self.files if not is_fresh(ROOT, file, self.kept.watched)]:
            left = [one for one in found if not one.killed and not explained(one.mutant, self.known)]
            if left:
                self._watch(stale)
                found = [one for one in found if one not in left] + self._tried([one.mutant for one in left])
        self._control(found)
        return found

    def _watch(self, files: Sequence[str]) -> None:
        passed = set()
        for file in watch(ROOT, files, self.jobs, self.kept.watched):
            passed.add(file)
            self.kept.write()
        _passing([file for file in files if file not in passed])

    def _spend(self, mutant: Mutant) -> float:
        """Most of the time goes where all tests pass: where that is expected, fewer are asked."""
        return SPEND_LITTLE if explained(mutant, self.known) else SPEND

    def _tried(self, chosen: Sequence[Mutant]) -> list[Trial]:
        """Survivors are shown as they are found."""
        bench = Bench(ROOT, tuple(tests_held(self.files, self.kept.watched)), self.kept.killers)
        print(f"{len(bench.tests)} tests, {len(chosen)} mutants", flush=True)
        trials = []
        for one in try_all(bench, chosen, self._spend, self.jobs):
            trials.append(one)
            if not one.killed:
                print(shown(one, self.known), flush=True)
            if sys.stderr.isatty():
                print(f"\r{len(trials)} of {len(chosen)}", end="", file=sys.stderr, flush=True)
        return trials

    def _control(self, trials: Sequence[Trial]) -> None:
        """A mutant is dead because a test fails with it and passes without it."""
        _passing([*failing({test for one in trials for test in one.blamed}, self.jobs)])


def _passing(failed: Sequence[str]) -> None:
    if failed:
        raise SystemExit(f"benchmarks: without any mutant these fail: {', '.join(failed)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
