"""A table's life: lobby, match, deadlines, votes, results.  No Discord, no SQL, no sentences.

`service` has all operations; `loaded` keeps tables in memory with one writer each; `ports` are the
interfaces to the outside.  `stored` and `model` are the values, and refusals; `phase` the states of
a table, and `fold` makes one from its log.  `match` plays; `new_tables`, `lobby`, `ending`,
`voting`, `presence` (with the vote to end), `lots` and the like are pure functions from one table
to the next.  `waiting` sets deadlines, `deadlines` waits for the earliest, `match` carries it out,
`downtime` gives time back.  `deals` is the verifiable deal, `stories` are results of rounds,
`plans` and `planning` tables that open later.
"""
