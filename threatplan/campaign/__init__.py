"""Campaigns: many scenarios planned, simulated and checked, on all cores or a cluster, that survive being killed.

In the order in which a campaign runs: `spec` (which scenarios, and what is asked of each), `generator` (random ones
over the whole language), `journal` (what is done, safe against crashes), `engines` (where the work is done), `worker`
and `guard` (one scenario in a process of its own, within its budgets), `examine` (what is asked of a scenario), `laws`
and `challenge` (what limits are checked against), `summary` and `page` (what came of it all).
"""
