"""A user's own scorer, named as `package.module:function`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class ScorerError(ValueError):
    """A scorer that cannot be used."""


class AnswerError(ScorerError):
    """A scorer that answered with something that is no score."""


def load_scorer(name: str) -> Callable[[Any, Any], Any]:
    """The function (labels, u) -> score that `package.module:function` names, seen from here."""
    module_name, _, path = name.partition(":")
    if not module_name or not path:
        raise ScorerError(f"a scorer is named package.module:function, not {name!r}")
    with _working_directory():
        found = _imported(module_name, name)
    for part in path.split("."):
        if not hasattr(found, part):
            raise ScorerError(f"{name}: {module_name} has no {path!r}{_callables(found)}")
        found = getattr(found, part)
    if not callable(found):
        raise ScorerError(f"{name} is {type(found).__name__}, not a function (labels, u) -> score")
    scorer: Callable[[Any, Any], Any] = found
    return scorer


def _imported(module_name: str, name: str) -> Any:
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise ScorerError(f"{name}: there is no module {error.name!r}") from error
    except (Exception, SystemExit) as error:
        raise ScorerError(f"{name}: importing {module_name} failed with {type(error).__name__}: {error}") from error


def _callables(module: Any) -> str:
    names = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")][:8]
    return f"; it has {', '.join(names)}" if names else ""


@contextmanager
def _working_directory() -> Iterator[None]:
    """Look here too, after everything that is installed: a file here stands in for no library."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


class MissingLibraryError(RuntimeError):
    """A library that is optional is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}: pip install 'threatplan[{extra}]'")
        self.what, self.package, self.extra = what, package, extra


def sklearn_function(name: str) -> Any:
    """A function of scikit-learn's metrics."""
    try:
        return getattr(importlib.import_module("sklearn.metrics"), name)
    except ImportError:
        raise MissingLibraryError("the scorer sklearn", "scikit-learn", "scorers") from None
