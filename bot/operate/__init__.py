"""For operators: the `stammtisch` command, doctor, health, metrics, logs.

`cli` is the command; its parts are `db` (the database, and what is stored of a person or server),
`tools` (games, simulations, records), `arena` (computer players against each other), `bench`,
`gallery` and `doctor`.  `refusing` puts refusals into words.
"""
