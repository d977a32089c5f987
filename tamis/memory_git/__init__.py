"""Memory Git, the versioned memory of Lethe: what a head of its history shows, and what is wrong.

Agents write their memory as changesets: each names its parents and holds operations that add,
correct, supersede or mark memories. Only the history behind an accepted head counts, never a branch
that nobody merged and never a row that was written past the legacy root.

This package is pure: it takes plain records, reads no database and no clock, and gives the same
answer for the same records in whatever order they come. It is sequential by nature (what an
operation does depends on all before it), so it has no form in SQL and none on Spark.

- `records`: what a project's database holds.
- `history`: the changesets behind a head, in the one order in which they count.
- `projection`: what they make of the memories, operation by operation.
- `ranking`: which of those a query selects.
- `context`: all of that at one head, the contract `memory-context/v1`.
- `shapes`, `validation`: operations that should never have been written.
- `conflicts`, `merges`: branches that contradict each other, and merges that chose in silence.
- `lifelines`: the states that each memory went through.
- `published`: what a projection needs, as records that can be published, and back again.
- `rows`: all of that for the models, from staged rows to rows.
"""
