"""A table's life: lobby, match, deadlines, votes, results.  No Discord, no SQL, no sentences.

`service` has all operations; `loaded` keeps tables in memory with one writer each; `ports` are the
interfaces to the outside.  `stored` and `model` are the values (and refusals), `phase` the states of a table,
`fold` makes a table from its log.  `match` plays; `lobby`, `ending`,
`voting`, `presence` (with the vote to end), `next_match` and the like are pure functions from one
table to the next.  `waiting` sets deadlines, `deadlines` waits for the earliest, `firing` carries
it out, `downtime` gives time back.  `deals` and `published` are the verifiable deal,
`stories` results of rounds, `plans` and `planning` tables that open later.
"""
