"""A table's life: lobby, match, deadlines, votes, results.  No Discord, no SQL, no sentences.

`service` is the door for whoever wants something of a table (`finding`, `wishing` and `machines`
are parts of it); `loaded` keeps tables in memory with one writer each, `ports` is what is needed
from outside.  `stored` and `model` are the values, `phase` says what a table is in, `fold` makes a
table of its log.  `match` plays; `lobby`, `ending`, `rest_votes`, `pace_votes`, `presence` and
their like are pure functions from one table to the next.  `deadlines` waits for the earliest stored
time, `firing` says what happens then.  `deals`, `shuffling` and `published` are the verifiable
deal, `stories` what rounds came to.
"""
