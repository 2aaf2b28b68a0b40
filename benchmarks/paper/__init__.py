"""The paper's experiments, repeated as printed and in float64: what it reports beside what is measured.

Nothing here is used by a plan. The algorithms stand as the paper prints them, mistakes included, so that its
figures can be traced to their causes. `python -m benchmarks.paper` runs them.
"""
