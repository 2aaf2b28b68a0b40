"""How the page looks: the reader's own light or dark, and plain on paper."""

STYLE = """
:root { --ink: #1c2530; --paper: #fcfcfa; --faint: #66707c; --line: #d8dce0; --bad: #b3261e; --good: #1b6e3c; --warn:
  #8a5a00;
  --card: #f3f4f1; --known: #b3261e; --ceiling: #2b5c9e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --paper: #14181d; --faint: #98a3ae; --line: #333b44;
  --bad: #ff8a80; --good: #7ddba0; --warn: #ffcc66; --card: #1c2229; --known: #ff8a80; --ceiling: #8ab8f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 1.5rem 0 .5rem; } h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; } h3 { font-size:
  1rem; }
.answer { font-size: 1.15rem; background: var(--card); border-left: .3rem solid var(--faint); padding: .8rem 1rem;
  margin: 0 0 1rem; }
.badge { text-transform: uppercase; font-weight: 600; letter-spacing: .03em; margin-right: .4rem; }
.badge.bad { color: var(--bad); } .badge.good { color: var(--good); } .badge.warn { color: var(--warn); }
.report + .report { border-top: 2px solid var(--line); margin-top: 3rem; padding-top: .5rem; }
code { display: inline-block; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .8rem 0; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; font-weight: 600; color: var(--faint); } th, td { padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid var(--line);
  vertical-align: top; } td:first-child, td:last-child { white-space: nowrap; } td.long { overflow-wrap: anywhere; }
td.short { white-space: nowrap; } td.number { font-variant-numeric: tabular-nums; }
details { margin: 1rem 0; } summary { cursor: pointer; color: var(--faint); }
pre { background: var(--card); padding: .8rem 1rem; overflow-x: auto; font-size: .88rem; }
svg { width: 100%; height: auto; }
@media screen { svg { min-width: 38rem; } }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .faint {
  fill: var(--faint); }
p.faint { color: var(--faint); font-size: .88rem; margin: .3rem 0; }
footer { margin: 2.5rem 0 1rem; color: var(--faint); font-size: .88rem; }
@media print { :root { font-size: 10pt; --ink: #000; --paper: #fff; --faint: #444; --line: #bbb; --bad: #b3261e; --good:
  #1b6e3c; --warn: #8a5a00; --known: #b3261e; --ceiling: #2b5c9e; } .refused { display: none; }
  .proofs::details-content { content-visibility: visible; }
  .proofs summary { list-style: none; } .report + .report { break-before: page; border: 0; margin: 0; }
  .answer, pre { background: none; }
  pre { white-space: pre-wrap; } h2, h3, p:has(+ .wide) { break-after: avoid; } tr, svg { break-inside: avoid; } }
"""
