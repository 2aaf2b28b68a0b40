"""A configuration file as plain data, read within bounds: no tags, no aliases, not too large, not too deep."""

from __future__ import annotations

import json
import os
from typing import Any

from threatplan.faults import CommandError, missing

MOST_BYTES = 1 << 20
DEEPEST = 32
MOST_VALUES = 50_000


def load(path: str) -> Any:
    """The data of a JSON or YAML file."""
    text = _text(path)
    if text.lstrip()[:1] in ("{", "["):
        return _bounded(_json(path, text), path)
    return _bounded(_yaml(path, text), path)


def _text(path: str) -> str:
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise CommandError(f"{path} is no regular file")
        with open(path, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}") from error
    if len(data) > MOST_BYTES:
        raise CommandError(f"{path} is larger than {MOST_BYTES >> 20} MiB: that is no configuration file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 text (byte {error.start})") from error


def _json(path: str, text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise CommandError(f"{path}: nested more than {DEEPEST} deep") from None
    except ValueError as error:  # digits beyond what int() takes, too
        if text.lstrip()[:1] == "{" and "\n" in text.strip() and ":" in text:
            return _yaml(path, text)  # YAML may begin with a brace, too
        raise CommandError(f"{path} is not valid JSON: {error}") from error


def _yaml(path: str, text: str) -> Any:
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError as error:
        raise missing("reading YAML", "PyYAML", "import") from error

    class Plain(yaml.SafeLoader):  # type: ignore[misc]
        """Refuses what makes a small file large, or its meaning hard to see."""

        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            """The next value; one that stands for another is refused."""
            if self.check_event(yaml.AliasEvent):
                where = self.peek_event().start_mark
                raise CommandError(f"{path}:{where.line + 1}: aliases (`*name`) are not read", "write the value out")
            self.depth += 1
            if self.depth > DEEPEST:
                raise CommandError(f"{path}: nested more than {DEEPEST} deep")
            try:
                return super().compose_node(parent, index)
            finally:
                self.depth -= 1

    try:
        return yaml.load(text, Plain)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise CommandError(f"{path}{line} is not valid YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not valid YAML: {' '.join(str(error).split())[:200]}") from error


def _bounded(data: Any, path: str) -> Any:
    """The data, refused where it is deeper or longer than any configuration."""
    left, values = [(data, 0)], 0
    while left:
        held, depth = left.pop()
        values += 1
        if depth > DEEPEST or values > MOST_VALUES:
            what = f"nested more than {DEEPEST} deep" if depth > DEEPEST else f"more than {MOST_VALUES:,} values"
            raise CommandError(f"{path}: {what}: that is no configuration file")
        inner = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
        left += ((one, depth + 1) for one in inner)
    return data
