"""How trials are run: the labels, the scorer and the seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from backends.labels import flipped, make_labels, spoiled
from backends.noise import Member, Mode
from backends.rows import Labels
from backends.scorers import Scorer, UserScorer, make_scorer, sklearn_scorer, user_scorer
from dsl.scenario import Scenario
from planner.channel.metrics import metric_of


@dataclass(frozen=True)
class Setting:
    """How trials are run: everything but the attack."""

    scenario: Scenario
    seed: int = 0
    scorer: str | UserScorer | None = None
    backend: str | None = None
    labels: str | Labels = "random"
    mode: Mode = "random-sign"
    member: Member = "gaussian"
    precision_bits: int = 64
    budget: int | None = None  # queries that the board answers; None: any number
    guess: int | Labels | None = (
        None  # labels that the attacker's guess has wrong, or the guess; None: as the scenario says
    )
    public: Labels | None = None  # which rows are scored; None: drawn at random, as many as the scenario says

    def generator(self, trial: int) -> np.random.Generator:
        """The source of all that is random in one trial; trials are independent of how many there are."""
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence((self.seed, trial))))

    def names(self) -> tuple[str, str]:
        """What to call the backend and the scorer."""
        if self.scorer is None or self.scorer == "sklearn":
            made = self._make(self.generator(0))
            return made.backend, made.name
        return "user", user_scorer(self.scorer)[0]

    def hidden(self, generator: np.random.Generator) -> Labels:
        """The labels of a trial; where the number of ones is public, random ones have that number."""
        if not isinstance(self.labels, str):
            return np.asarray(self.labels)
        N, K, ones = self.scenario.N, self.scenario.K, self.scenario.ones
        counted = self.scenario.positives is not None and self.labels == "random"
        return make_labels(f"counts({N - ones}, {ones})" if counted else self.labels, N, K, generator)

    def guessed(self, hidden: Labels, generator: np.random.Generator) -> Labels | None:
        """What the attacker of a trial guesses: wrong on rows drawn at random; None: the commoner class, or nothing."""
        if isinstance(self.guess, np.ndarray):
            return self.guess
        wrong = self.scenario.mistakes if self.guess is None else self.guess
        if wrong is None or (self.guess is None and self.scenario.positives is not None):
            return None
        return spoiled(hidden, wrong, self.scenario.K, generator)

    def scored(self, generator: np.random.Generator) -> Labels | None:
        """Which rows are scored, as truths; None: all."""
        if isinstance(self.public, np.ndarray):
            return self.public.astype(bool)
        if not self.scenario.split:
            return None
        fewest, most = self.scenario.scored
        rows = generator.choice(self.scenario.N, size=int(generator.integers(fewest, most + 1)), replace=False)
        found = np.zeros(self.scenario.N, dtype=bool)
        found[rows] = True
        return found

    def stored(self, hidden: Labels, generator: np.random.Generator) -> Labels:
        """The labels that scores are computed of: the true ones, or these flipped once."""
        epsilon = self.scenario.response
        return hidden if epsilon is None else flipped(hidden, float(epsilon.lo), self.scenario.K, generator)

    def strays(self, hidden: Labels, guess: Labels | None, scored: Labels | None = None) -> bool:
        """Whether labels, the guess at them or the scored rows are not what the scenario says: then it promises nothing."""
        scenario, metric = self.scenario, metric_of(self.scenario.metrics[0])
        if not (metric.one_class or metric.control) and len(set(hidden.tolist())) < 2:
            return True  # of labels that are all alike such a metric tells nothing
        if scored is not None and not scenario.scored[0] <= int(scored.sum()) <= scenario.scored[1]:
            return True
        if scenario.positives is not None:
            return int((hidden == 1).sum()) != scenario.ones
        if scenario.mistakes is None or guess is None:
            return False
        return int((hidden != guess).sum()) > scenario.mistakes

    def score_function(self, generator: np.random.Generator) -> UserScorer:
        """The scorer of a trial."""
        if self.scorer is None or self.scorer == "sklearn":
            return self._make(generator)
        return user_scorer(self.scorer)[1]

    def _make(self, generator: np.random.Generator) -> Scorer:
        if self.scorer == "sklearn":
            return sklearn_scorer(self.scenario, generator, mode=self.mode, member=self.member)
        return make_scorer(
            self.scenario,
            generator,
            backend=self.backend,
            mode=self.mode,
            member=self.member,
            precision_bits=self.precision_bits,
        )
