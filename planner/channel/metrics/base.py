"""What a metric is to the mathematics: what a row charges its label, what rows can be made, and how exactly it computes.

A score is the mean, over the rows that are scored, of what each row charges its label. Everything that an attack or a
limit knows of a metric it asks here. The defaults are the safe ones: a metric that says nothing realises no weight,
computes with no bound on its error and excludes nothing.

Weights. A row of two classes with weight w charges label 1 by w more than label 0; `p` is the prediction of class 1, so
a small p has a large weight. `heavy` and `light` are what the two labels pay. A row of weight 0 is neutral.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from flint import arb

from planner.channel.sides import Sides

if TYPE_CHECKING:
    from planner.channel.channel import Channel


class Level(NamedTuple):
    """One prediction as float64 makes it, and the charges of the two sides of the classes for it."""

    off: float  # prediction of each class on the side of label 0
    on: float  # prediction of each class on the side of label 1
    zero: float  # charge of label 0
    one: float  # charge of label 1

    @property
    def weight(self) -> float:
        """How much more label 0 is charged than label 1: a level is named by the side that it favours."""
        return self.zero - self.one

    @property
    def small(self) -> float:
        """The smaller prediction."""
        return min(self.off, self.on)

    def entries(self, columns: int, sides: Sides) -> tuple[float, ...]:
        """The row as submitted: the prediction of class 1, or those of all classes."""
        return (self.on,) if columns == 1 else tuple(self.on if side else self.off for side in sides)


class Metric(ABC):
    """One metric. What it takes of the scorer (clip, columns, formats) stands in the channel that it is asked about."""

    id: str
    title: ClassVar[str]
    known: ClassVar[bool] = (
        False  # a metric that is finished says so; until then every attack and limit refuses by name
    )
    predictions: ClassVar[tuple[str, ...]] = ("probability",)  # what rows may hold
    weighs: ClassVar[bool] = False  # a row charges a label any amount up to its reach more than the other
    adds: ClassVar[bool] = False  # a score is a mean of what rows charge, each by itself
    free: ClassVar[bool] = False  # squares of any numbers: a row of any u has the weight 1 - 2u
    squares: ClassVar[bool] = False  # a function of a sum of squares of any numbers, and no mean of it
    counts: ClassVar[bool] = False  # a score tells how many labels of the rows predicted 1 are 1
    ranks: ClassVar[bool] = False  # a score is a sum of the ranks of the rows that are 1, once their number is known
    about_half: ClassVar[bool] = False  # what a row within [0, 1] charges both labels adds up to 1
    one_class: ClassVar[bool] = True  # labels that are all alike are told like any other
    control: ClassVar[bool] = False  # or by one query more
    nonnegative: ClassVar[bool] = False  # no row that is bounded charges less than 0
    cornered: ClassVar[bool] = False  # a row can charge some classes next to nothing, and weighs what the others pay
    totals: ClassVar[bool] = False  # what is known of its mean is known of its sum, too
    logarithmic: ClassVar[bool] = False  # charges are logarithms of predictions: products become sums

    def unknown(self, channel: Channel) -> tuple[str, ...]:
        """The fields whose values the metric has no word for: nothing is promised under them, nothing excluded."""
        return ()

    # -- charges -------------------------------------------------------------------------------------

    @abstractmethod
    def neutral_charge(self, classes: int) -> arb:
        """What a neutral row charges, whatever its label."""

    @abstractmethod
    def light(self, p: Fraction) -> arb:
        """What a row of two classes charges label 0, which it favours: p <= 1/2 is the prediction of class 1."""

    @abstractmethod
    def heavy(self, p: Fraction) -> arb:
        """What it charges label 1."""

    @abstractmethod
    def weight(self, p: Fraction) -> arb:
        """heavy - light."""

    # -- rows that can be made -----------------------------------------------------------------------

    def reach(self, channel: Channel) -> arb:
        """W for attacks: a weight that a row of two classes surely realises; infinite: as large as one likes."""
        return arb(0)

    def class_reach(self, channel: Channel) -> arb:
        """The largest spread of charges in a row of K classes whose levels may all differ."""
        return arb.neg_inf()

    def stage_reach(self, channel: Channel, classes: int, digits: int) -> arb:
        """W for rows of two groups of classes, one stage a binary digit, or of classes each with a level of its own."""
        return arb.neg_inf()

    def span(self, channel: Channel) -> arb:
        """W for limits: no two charges of one row differ by more. Infinite: a row can do anything, or show infinity."""
        return arb.pos_inf()

    def breadth(self, channel: Channel, span: arb) -> arb:
        """No two charges of any rows differ by more, where no two of one row differ by more than `span`."""
        return arb.pos_inf()

    def largest_charge(self, channel: Channel, span: arb) -> arb:
        """No row charges more, where no two charges differ by more than `span`."""
        return arb.pos_inf()

    def largest_loss(self, channel: Channel, span: arb) -> arb:
        """What no score exceeds by more than the error of computing it."""
        return arb.pos_inf()

    def least_loss(self, channel: Channel) -> arb | None:
        """A lower bound on a score that is not 0; None: there is none."""
        return None

    def steadiness(self, channel: Channel) -> tuple[arb, arb] | None:
        """N Var L/(E L)^2 at most, and E L at least, for labels drawn at random; None: no score is known to be steady."""
        return None

    def shows_infinity(self, channel: Channel) -> bool:
        """Whether a prediction can be made whose charge surely shows as an infinite score."""
        return False

    def prediction(self, channel: Channel, weight: arb) -> Fraction | None:
        """The largest p <= 1/2 that the scorer takes as it is and whose weight is not below `weight`, if there is one."""
        return None

    def takes(self, channel: Channel, p: Fraction) -> bool:
        """Whether the scorer takes p, and 1 - p with it, as it is."""
        return False

    def neutral_row(self, channel: Channel) -> tuple[Fraction, ...]:
        """The row that tells the classes apart least."""
        return (Fraction(1, channel.classes),) * channel.classes

    def neutral_deviation(self, channel: Channel) -> arb:
        """By how much neutral rows can move a sum of charges from what they should charge."""
        return arb.pos_inf()

    def lattice(self, channel: Channel) -> Fraction | None:
        """Exact scores are whole multiples of this, so that a shown one is a function of a whole number."""
        return None

    def values(self, channel: Channel) -> int | None:
        """How many different scores one submission may have; None: any number."""
        return None

    def scores_within(self, channel: Channel) -> arb | None:
        """The length of an interval that holds every score, for a metric that adds nothing up; None: there is none."""
        return None

    def undefined(self, channel: Channel) -> bool:
        """Whether a score may be no number at all, which noise and digits leave as it is."""
        return False

    def pair(self, N: int) -> Fraction | None:
        """Two labelings are scored no farther apart than this, whatever is submitted; None: no such two are known."""
        return None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """Two labelings of n1 ones that differ by a swap are scored no farther apart than this; None: by anything."""
        return None

    # -- the error of computing a score --------------------------------------------------------------

    def charge_error(self, channel: Channel) -> Fraction | None:
        """The sum of the relative roundings of one charge; None: unbounded."""
        return None

    def prepared(self, channel: Channel) -> Fraction | None:
        """The absolute error of a charge by what happens to its prediction before; None: unbounded."""
        return None

    def written(self, channel: Channel) -> Fraction:
        """The part of `prepared` that an attacker makes in writing predictions down."""
        return Fraction(0)

    def moved(self, channel: Channel) -> Fraction | None:
        """`prepared` for limits, from above: whatever is submitted; None: unbounded."""
        return None

    # -- rows of a design: every label weighed by whole gaps -------------------------------------------

    def mean_loss(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """The most that rows of weight at most `largest` each and `spread` together charge on average."""
        return arb.pos_inf()

    def heaviest(self, channel: Channel, largest: arb) -> arb:
        """No row of weight at most `largest` charges more."""
        return arb.pos_inf()

    def deviation(self, channel: Channel, largest: arb, spread: arb, classes: int) -> arb:
        """By how much the charges of such rows, as float64 writes them, may together miss what a design wants."""
        return arb.pos_inf()

    def own_error(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """The attacker's own float64 in what such rows are charged."""
        return arb.pos_inf()

    # -- corner rows: dear classes and cheap ones, which are told from rows that are not scored by nothing ---

    def corner_reach(self, channel: Channel, larger: int) -> arb:
        """The largest weight by which a row surely charges some classes more than others, at most `larger` of either."""
        return arb.neg_inf()

    def corner_rest(self, weight: arb, dear: int, cheap: int) -> arb:
        """What every label of a scored corner row is charged beside the weight; it falls as the weight grows."""
        return arb.pos_inf()

    def corner_missed(self, channel: Channel, most: arb, either: bool) -> arb:
        """By how much charges of corner rows up to this weight, as float64 writes them, may together miss what is wanted.

        `either`: any class may be the cheap one; otherwise it is always class 0.
        """
        return arb.pos_inf()

    def entries(self, xp: Any, charges: Any, inside: int, classes: int, columns: int) -> tuple[Any, Any]:
        """Predictions of rows that charge the classes inside a group by `charges` more: of a class inside, and outside.

        `xp` is the library of arrays: the modules that run attacks hand it in, so that planning never loads it.
        """
        raise ValueError(f"{self.id} has no rows of two groups")

    def class_entries(self, xp: Any, step: float, levels: Any) -> Any:
        """Predictions of rows that charge each class by `step` times its level more than the cheapest, (n, K)."""
        raise ValueError(f"{self.id} has no rows of several levels")

    def total(self, xp: Any, predictions: Any, rows: Any = None) -> Fraction:
        """The sum of what labels with these predictions are charged, to as many roundings a row as `own_error` counts.

        `rows` are those that the predictions stand in, (n, K), for metrics that charge a label for the whole of its row.
        """
        raise ValueError(f"{self.id} cannot be reckoned")

    def heavy_float(self, small: Fraction) -> float:
        """`heavy` as a float64."""
        return float("inf")

    # -- rows of few levels: comparisons and averages ---------------------------------------------------

    def smallest_usable(self, channel: Channel) -> Fraction | None:
        """The smallest float64 prediction that is charged in full, either way round; None: none tells enough."""
        return None

    def strength(self, small: Fraction, classes: int) -> arb:
        """W: the weight between two sides of the classes that is realised with no prediction below `small`."""
        return arb(0)

    def strength_float(self, small: Fraction, classes: int) -> float:
        """The same as a float64."""
        return 0.0

    def heaviest_level(self, small: Fraction, classes: int) -> arb:
        """No row between two sides of the classes charges more, none of its predictions below `small`."""
        return self.heavy(small)

    def small_for(self, weight: float) -> Fraction:
        """A prediction below every one of rows of two classes whose weight is at most this."""
        return Fraction(0)

    def offset_prediction(self, channel: Channel, small: Fraction, deviation: float) -> Fraction:
        """The smallest prediction for offset rows whose charge may be off by at most `deviation` each."""
        return small

    def least_offset(self, classes: int) -> float:
        """Offset rows start at this weight: from there on most of their charge goes with it."""
        return 1.0

    def least_offset_reach(self, classes: int) -> float:
        """Offset rows must reach this weight, or they move a sum too little for what they cost."""
        return self.least_offset(classes) + 1

    def payment(self, w: float, own: int, other: int) -> float:
        """What a label pays for a weight w against it, with so many classes on its own side and on the other."""
        raise ValueError(f"{self.id} has no levels")

    def saving(self, w: float) -> float:
        """What a label of two classes is charged for a weight w in its favour."""
        raise ValueError(f"{self.id} has no levels")

    def slope(self, w: float, own: int, other: int) -> float:
        """How fast the payment rises with w; it is convex."""
        raise ValueError(f"{self.id} has no levels")

    def payment_range(self, least: arb, most: arb, ratio: Fraction) -> arb:
        """How much more a row pays at weight `most` than at `least`, on the side where that is less."""
        return arb.neg_inf()

    def payment_range_float(self, least: float, most: float, ratio: float) -> float:
        """The same as a float64."""
        return 0.0

    def level(self, weight: float, columns: int, sides: Sides) -> Level:
        """The prediction nearest to the given weight of the side of label 1."""
        raise ValueError(f"{self.id} has no levels")

    def even_charge(self, classes: int) -> float:
        """The neutral charge as a float64."""
        return float(self.neutral_charge(classes))

    def level_step(self, columns: int, small: Fraction) -> arb:
        """How far the weight of a row is off at most when its smaller prediction is at least `small`."""
        return arb.pos_inf()

    def level_deviation(self, columns: int, small: Fraction, amplitude: int) -> arb:
        """The same for rows of whole multiples of W/amplitude, W the weight of `small`."""
        return arb.pos_inf()

    def steady_multiple(self, columns: int, weight: float) -> float:
        """About how far rows below this weight are off, for searches."""
        return 0.0


class UnknownMetric(Metric):
    """A metric that no file describes: it charges anything."""

    title = "an unknown metric"

    def __init__(self, id: str) -> None:
        self.id = id

    def neutral_charge(self, classes: int) -> arb:
        """Anything."""
        return arb.pos_inf()

    def light(self, p: Fraction) -> arb:
        """Anything."""
        return arb.pos_inf()

    def heavy(self, p: Fraction) -> arb:
        """Anything."""
        return arb.pos_inf()

    def weight(self, p: Fraction) -> arb:
        """Nothing that could be told."""
        return arb.neg_inf()
