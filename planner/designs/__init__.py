"""Detecting designs: which integer weight every label has in every query, and how to read the labels back.

A design is pure combinatorics: it knows no scorer and no noise. With M queries it holds up to `capacity()`
labels x[i] in {0..K-1}; query t measures

    y[t] = unit * sum_i row(t, n)[i]        (K = 2: over the labels that are 1)
    y[t] = unit * sum_i row(t, n)[i, x[i]]  (K > 2)

and `decode` recovers x from the measurements for *every* labeling and *every* error below 1/2 in each y[t].
A caller that weighs label i by g * unit * row(t, n)[i] (log-odds) therefore needs an error in the sum below
g/2, and g * amplitude within what one row of a submission can realise:

    M                queries
    K                classes of a label
    amplitude        largest |entry|, `unit` included (K > 2: largest spread over the classes of one label)
    unit             entries are integers times this fraction: 1 but for the designs with real seeds
    name             what a report calls it
    capacity()       labels it can hold; cheap for M up to 10^12 and beyond
    row(t, n)        int64 array (n,), or (n, K) for K > 2: entries of query t in units, O(n)
    scores(x)        all M measurements in units, exact integers, by a structured transform, never M x n work
    decode(y, n)     labels (uint8; int64 if K > 256) from measurements in gaps (`unit` included), floats or exact;
                     DesignError when no labeling fits
    row_l1_bound(n)  an upper bound over t of unit * sum_i |entry|, for error budgets

Arrays are int64 where every intermediate value fits, and Python integers (dtype object) beyond. Constructing
a design and asking its capacity never loads numpy; only rows, scores and decoding do.
"""

# What records of parameters call the parts of designs: a module, read when a record names it, and the class in it.
PARTS: dict[str, tuple[str, str]] = {
    "butterfly": ("planner.designs.butterfly", "Butterfly"),
    "ones": ("planner.designs.ones", "Ones"),
    "balanced": ("planner.designs.balanced", "Balanced"),
    "lindstrom": ("planner.designs.lindstrom", "Lindstrom"),
    "bits": ("planner.designs.sets", "BitSet"),
    "scalar": ("planner.designs.seeds", "Scalar"),
    "skew": ("planner.designs.seeds", "Skew"),
    "pair": ("planner.designs.glue", "PairStage"),
    "lattice": ("planner.designs.glue", "Lattice"),
    "kary": ("planner.designs.kary", "Kary"),
    "recipe": ("planner.designs.recipes", "Recipe"),
    "digits": ("planner.designs.digits", "DigitSet"),
    "corner": ("planner.designs.corner", "Corner"),
    "split": ("planner.designs.digits", "Split"),
}
