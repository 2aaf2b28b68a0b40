"""`python -m benchmarks [NAME [ARGUMENTS]]`: one benchmark, or all of them."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
APART = ("report", "frozen", "mutants")  # the page made from all the others, and checks that measure nothing


def main(argv: list[str]) -> int:
    """Run the benchmark that is named, or list or run them all."""
    if not argv:
        return max(_run(name, []) for name in NAMES if name not in APART)
    if argv[0] in ("-h", "--help", "--list"):
        print("\n".join(["python -m benchmarks [NAME [ARGUMENTS]]", *(f"  {name}" for name in NAMES)]))
        return 0
    if argv[0] not in NAMES:
        print(f"benchmarks: no benchmark is called {argv[0]}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    return _run(argv[0], argv[1:])


def _run(name: str, argv: list[str]) -> int:
    print(f"== {name}", flush=True)
    return int(import_module(f"benchmarks.{name}").main(argv))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
