"""What every design offers, and how measurements become exact integers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray

    IntArray = NDArray[Any]
    """Exact integers: int64, or Python integers (dtype object) where int64 could overflow."""

WORD = 2**62
"""Values below this stay clear of int64 overflow even after one addition."""


class DesignError(ValueError):
    """The measurements fit no labeling, or the request lies outside the design."""


class Design(Protocol):
    """A detecting design; the package documentation says what each part means."""

    @property
    def M(self) -> int:
        """Queries."""
        ...

    @property
    def K(self) -> int:
        """Classes of a label."""
        ...

    @property
    def amplitude(self) -> Fraction:
        """Largest |entry|, in gaps."""
        ...

    @property
    def unit(self) -> Fraction:
        """The fraction that entries are counted in."""
        ...

    @property
    def name(self) -> str:
        """What a report calls the design."""
        ...

    def capacity(self) -> int:
        """Labels it can hold."""
        ...

    def sound(self) -> bool:
        """Whether its numbers make a design: sums that determine its labels, within the amplitude."""
        ...

    def row(self, t: int, n: int) -> IntArray:
        """Entries of query t for the first n labels, in units."""
        ...

    def scores(self, x: IntArray) -> IntArray:
        """All measurements of a labeling, in units."""
        ...

    def decode(self, y: IntArray, n: int) -> NDArray[Any]:
        """The n labels behind measurements in gaps."""
        ...

    def row_l1_bound(self, n: int) -> Fraction:
        """An upper bound on the sum of |entry| over any row."""
        ...


def check_query(design: Design, t: int, n: int) -> None:
    """Refuse a query or a number of labels that the design does not have."""
    if not 0 <= t < design.M:
        raise DesignError(f"query {t} of a design with {design.M} queries")
    check_labels(design, n)


def check_labels(design: Design, n: int) -> None:
    """Refuse more labels than the design holds."""
    if not 0 <= n <= design.capacity():
        raise DesignError(f"{n} labels in a design with room for {design.capacity()}")


def check_measurements(design: Design, y: IntArray, n: int) -> None:
    """Refuse anything but one measurement a query."""
    check_labels(design, n)
    if y.shape != (design.M,):
        raise DesignError(f"measurements of shape {y.shape} for {design.M} queries")


def integer_type(bound: int) -> type:
    """The array element type that holds values up to `bound` exactly."""
    import numpy as np

    return np.int64 if bound < WORD else object


def nearest_integers(y: IntArray, bound: int) -> IntArray:
    """Measurements rounded to exact integers; anything beyond `bound` fits no labeling."""
    import numpy as np

    rounded = _rounded_objects(y) if y.dtype == object else y if y.dtype.kind in "iu" else np.rint(y)
    if rounded.size and not bool(np.all(abs(rounded) <= bound)):
        raise DesignError("a measurement is not finite or larger than any labeling gives")
    if bound < WORD:
        return rounded.astype(np.int64)
    return np.asarray(np.frompyfunc(int, 1, 1)(rounded))


def _rounded_objects(y: IntArray) -> IntArray:
    import numpy as np

    try:
        return np.asarray(np.frompyfunc(round, 1, 1)(y), dtype=object)
    except (TypeError, ValueError, OverflowError):
        raise DesignError("a measurement is no finite number") from None


def labels_as(x: IntArray, K: int) -> NDArray[Any]:
    """Labels checked to be classes below K, as int64."""
    import numpy as np

    labels = np.asarray(x)
    if labels.ndim != 1 or (labels.size and not bool(np.all((labels >= 0) & (labels < K)))):
        raise DesignError(f"labels must be a vector of classes 0..{K - 1}")
    return labels.astype(np.int64)
