"""`plan run FILE`: simulate the best plan, or one that you choose, and report its accuracy."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from threatplan.arguments import choice, common, count, files, word
from threatplan.faults import BROKEN, DONE, INTERRUPTED, CommandError, InputError, did_you_mean, missing
from threatplan.talk import report_fault

if TYPE_CHECKING:
    import argparse

    from backends.run import Run
    from dsl.scenario import Scenario
    from planner.report import Report

BACKENDS = ("exact", "fixed", "ieee")
MODES = ("random-sign", "inside", "plus", "minus", "alternating", "rival")
DESCRIPTION = """Simulate an attack against labels that are made here, or that you own, through a scorer on this machine.

Where no attack recovers all labels within the budget, the one that exposes most recovers as many as it can.
Without --scorer the scenario's own scorer is modelled. Runs with the same seed are the same."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    files(parser)
    parser.add_argument("--attack", metavar="ID", help="a certified attack (default: the best)")
    parser.add_argument("--trials", type=count(1), default=1, metavar="COUNT", help="labelings to attack (default: 1)")
    parser.add_argument("--seed", type=count(), default=0, metavar="NUMBER", help="of all that is random (default: 0)")
    parser.add_argument(
        "--backend",
        type=word(*BACKENDS),
        choices=BACKENDS,
        metavar="{exact,fixed,ieee}",
        help="arithmetic (default: the scenario's)",
    )
    own = "sklearn, or your own as package.module:function: of (labels, predictions), what the board shows"
    parser.add_argument("--scorer", metavar="NAME", help=own)
    kinds = "random, balanced, zeros, ones, alternating, skewed, counts(a,b,...) or a file"
    parser.add_argument("--labels", default="random", metavar="KIND", help=kinds)
    known = "what the attacker guesses: a file of labels, or the share that is right (default: the scenario's)"
    parser.add_argument("--guess", metavar="FILE|SHARE", help=known)
    hidden = "which rows are scored: a file of 0 and 1, or random (default)"
    parser.add_argument("--public", metavar="FILE|random", help=hidden)
    choice(parser, "--noise-mode", MODES, "how bounded noise acts (default: %(default)s)")
    common(parser, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    """Plan and simulate each scenario."""
    from threatplan.inputs import scenarios
    from threatplan.render.numbers import of

    skipped: list[CommandError] = []
    simulated = _simulated(args, scenarios(args), skipped)
    runs = _json(simulated) if args.format == "json" else _text(args, simulated)
    if not runs:
        raise InputError(skipped)
    _mention(skipped, args)
    if runs[-1][1].interrupted:
        print(f"plan: interrupted after {of(runs[-1][1].trials, 'trial')} of {args.trials:,}", file=sys.stderr)
        return INTERRUPTED
    return BROKEN if any(_broke_a_promise(report, done, args) for report, done in runs) else DONE


def _json(simulated: Iterator[tuple[Report, Run]]) -> list[tuple[Report, Run]]:
    from threatplan.render.json import JsonList

    runs = []
    with JsonList("runs") as document:
        for report, done in simulated:
            document.add(done.to_json())
            runs.append((report, done))
    return runs


def _text(args: argparse.Namespace, simulated: Iterator[tuple[Report, Run]]) -> list[tuple[Report, Run]]:
    from threatplan.render.page import Page
    from threatplan.render.run import render

    page = Page.of(sys.stdout, args.color)
    runs = []
    for report, done in simulated:
        for line in render(done, page, _shortfall(report, done), _kept(report, done, args)):
            print(line)
        sys.stdout.flush()
        runs.append((report, done))
    return runs


def _kept(report: Report, done: Run, args: argparse.Namespace) -> str:
    """What was certified, where every label came out through the scorer that was planned for; else nothing."""
    from backends.promises import by_chance
    from backends.simulate import choose
    from threatplan.render.numbers import surely

    if args.scorer is not None or done.strayed or done.exact_trials < done.trials:
        return ""
    promise = choose(report, args.attack)[2].certificate.promise
    return f"certified for {surely(1 - promise.chance)} of trials" if by_chance(promise) else "as certified"


def _shortfall(report: Report, done: Run) -> str:
    """What a run within the budget stands for where it cannot be all that was asked for."""
    from planner.planning import goal_text
    from threatplan.render.numbers import of, whole

    if done.counted is not None:
        return f"the guess has {of(done.counted, 'label')} wrong: planned again for that, below"
    if report.best is not None or done.whole:
        return ""
    goal, budget = goal_text(report.channel), of(report.channel.budget or 0, "query")
    asked = f"impossible to recover {goal}" if report.verdict == "impossible" else f"not known how to recover {goal}"
    told = whole(done.rows_told // done.trials)
    which = f"those of scored rows among {told}" if done.rows_told > done.total_labels else told
    return f"{asked}; {which} are certified within the budget of {budget}"


def _simulated(
    args: argparse.Namespace, wanted: list[Scenario], skipped: list[CommandError]
) -> Iterator[tuple[Report, Run]]:
    """Each scenario's run; one that has no certified attack is left out, and why goes to `skipped`."""
    from backends.simulate import NothingToRun
    from planner import plan

    for scenario in wanted:
        report = plan(scenario)
        try:
            done = _simulate(report, args)
            yield report, done
            if done.interrupted:
                return
            if done.counted is not None:
                report = plan(_worse(report, done.counted))
                yield report, _simulate(report, args)
        except NothingToRun as nothing:
            hint = _instead(report, args.attack)
            if args.attack is None and report.verdict == "impossible":
                skipped.append(CommandError(_holds_out(report), hint, calm=True))
            else:
                message = f"{nothing}. The verdict is {report.verdict}: {report.why}"
                skipped.append(CommandError(message, hint))


def _holds_out(report: Report) -> str:
    """That there is nothing to run is what whoever hardened the board wanted."""
    from planner.planning import goal_text
    from threatplan.render.numbers import of

    within = "however many submissions are made"
    if report.channel.budget is not None:
        within = f"within the budget of {of(report.channel.budget, 'query')}"
    return (
        f"{report.scenario.name}: nothing to run: no attack that we know of is certified for any label {within}. "
        f"That is what hardening is for: recovery of {goal_text(report.channel)} is proved to be impossible: {report.why}"
    )


def _worse(report: Report, wrong: int) -> Scenario:
    """The scenario of an attacker who was found to guess worse than it says."""
    scenario = report.scenario
    if scenario.positives is None:
        return replace(scenario, guess=1 - Fraction(wrong, scenario.N))
    return replace(scenario, positives=scenario.N - wrong if report.channel.commoner else wrong)


def _instead(report: Report, attack: str | None) -> str:
    """What else could be run."""
    from threatplan.sweeps import cheapest

    known = [one.attack for one in report.candidates]
    if attack in known:
        return "`plan FILE` says why it is refused"
    if attack is not None:
        return did_you_mean(attack, known)
    best = cheapest(report)
    return f"`--attack {best.attack}` runs the cheapest attack beyond the budget" if best else ""


def _mention(skipped: list[CommandError], args: argparse.Namespace) -> None:
    """Say which scenarios were left out where others ran."""
    if skipped and args.format == "json":
        report_fault(InputError(skipped), ("--format", "json"))
    elif skipped:
        from dsl.visible import visible

        print("\n".join(f"plan: {visible(one.message)}" for one in skipped), file=sys.stderr)


def _simulate(report: Report, args: argparse.Namespace) -> Run:
    from backends.simulate import simulate
    from threatplan.progress import Bar

    with _told(args.scorer), Bar(sys.stderr, report.scenario.name, args.format != "json") as bar:
        return simulate(
            report,
            attack=args.attack,
            trials=args.trials,
            seed=args.seed,
            scorer=args.scorer,
            backend=args.backend,
            labels=args.labels,
            noise_mode=args.noise_mode,
            guess=_guess(args.guess, report.scenario),
            public=_public(args.public, report.scenario),
            progress=bar,
            keep=True,
        )


def _guess(text: str | None, scenario: Scenario) -> Any:
    """A guess from a file, or how many labels one of this share has wrong."""
    from math import ceil
    from pathlib import Path

    from backends.labels import read_labels

    if text is None:
        return None
    percent = re.fullmatch(r"(\d{1,3}(?:\.\d{1,9})?)%", text.strip())
    if percent is None and not Path(text).exists():
        raise CommandError(f"{text}: no such file", "--guess takes a file of labels, or the share that is right: 98%")
    if percent is None:
        return read_labels(Path(text), scenario.N, scenario.K)
    right = Fraction(percent[1]) / 100
    if right > 1:
        raise CommandError(f"a guess cannot be right on {text} of the labels")
    return scenario.N - ceil(right * scenario.N)


def _public(text: str | None, scenario: Scenario) -> Any:
    """The scored rows from a file."""
    from pathlib import Path

    from backends.labels import LabelsError, read_labels

    hint = "--public takes a file of 0 and 1, one a row, or `random`"
    if text in (None, "random"):
        return None
    if not scenario.split:
        raise CommandError(f"{scenario.name}: all rows are scored", "--public is for a scenario that sets `public`")
    if not Path(text).exists():
        raise CommandError(f"{text}: no such file", hint)
    try:
        return read_labels(Path(text), scenario.N, 2)
    except LabelsError as error:
        raise CommandError(str(error), hint) from None


@contextmanager
def _told(scorer: str | None) -> Iterator[None]:
    """Turn what may go wrong in a simulation into a message; a user's own scorer may raise anything."""
    from backends.labels import LabelsError
    from backends.loader import AnswerError, MissingLibraryError, ScorerError
    from backends.resources import ResourceRefusal
    from backends.simulate import NothingToRun

    try:
        yield
    except AnswerError as error:
        raise CommandError(str(error), "a scorer returns a float, an int or a Fraction", BROKEN) from error
    except (LabelsError, ScorerError) as error:
        raise CommandError(str(error)) from error
    except MissingLibraryError as error:
        raise missing(error.what, error.package, error.extra) from error
    except ResourceRefusal as error:
        raise CommandError(str(error), code=BROKEN) from error
    except (Exception, SystemExit) as error:  # a scorer that calls sys.exit fails as any other does
        if scorer is None or isinstance(error, NothingToRun):
            raise
        message = f"the scorer {scorer} failed: {type(error).__name__}: {error}"
        raise CommandError(message, "it is called with (labels, predictions), and returns a number", BROKEN) from error


def _broke_a_promise(report: Report, done: Run, args: argparse.Namespace) -> bool:
    """Whether a certified attack failed although nothing was left to chance: a fault, never a result."""
    from backends.promises import shortfall
    from backends.simulate import choose

    if args.scorer is not None:  # nothing was promised about a scorer of the user's own
        return False
    failure = shortfall(done, choose(report, args.attack)[2].certificate.promise)
    if failure is None or failure.by_chance:
        return False
    print(f"plan: {done.attack} is certified and failed ({failure.text}): please report this", file=sys.stderr)
    return True
