"""What an experiment yields: findings to print and curves to draw."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """One figure of the paper, what was measured here, and why they differ where they do."""

    what: str
    paper: str
    measured: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """One plot: named series of points."""

    name: str  # also the file's name
    title: str
    x: str
    y: str
    series: dict[str, list[tuple[float, float]]]
    log_x: bool = False
    log_y: bool = False
    share: bool = True  # y is a share, from 0 to 1


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table or figure of the paper, repeated."""

    title: str
    findings: list[Finding]
    curves: list[Curve] = field(default_factory=list)

    def lines(self, width: int = 96) -> list[str]:
        """The experiment as a text table, explanations below the rows that they belong to."""
        import textwrap

        columns = [("", "paper", "measured"), *((f.what, f.paper, f.measured) for f in self.findings)]
        first, second = (max(len(row[i]) for row in columns) for i in (0, 1))
        lines = [self.title, ""]
        whys = ["", *(f.why for f in self.findings)]
        for (what, paper, measured), why in zip(columns, whys, strict=True):
            lines.append(f"  {what:<{first}}  {paper:<{second}}  {measured}".rstrip())
            lines += textwrap.wrap(why, width, initial_indent="      ", subsequent_indent="      ")
        return lines
