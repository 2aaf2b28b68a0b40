from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.dsl.fuzz import examine, generate, inputs, mutate

WORDS = (
    "scenario sweep expect a N K phi φ noise queries decimals clip = <= ≤ == { } ( ) [ ] , ; : .. … + - * / ^ % "
    '1 25_000 0.5 1e-5 "t" "open # \' $ N=1 none bounded(0.1) step log feasible'
)
tokens = st.sampled_from([*WORDS.split(), "\n"])


@settings(max_examples=300, deadline=None)
@given(st.lists(tokens, max_size=40).map(" ".join))
@example("scenario a { N = 1")
@example('scenario imdb "t"# {\nN = 1\n}')
def test_any_row_of_tokens(text: str) -> None:
    examine(text.encode())


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes(data: bytes) -> None:
    examine(data)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.binary(max_size=20))
def test_generated_and_mutated_files(seed: int, tail: bytes) -> None:
    random = Random(seed)
    examine(generate(random).encode())
    examine(mutate(random, inputs(random)) + tail)
