"""For operators: the `stammtisch` command, doctor, health, metrics, logs.

`cli` is the command; its parts are `db` (the database), `data_commands` (what is stored of a person
or server), `tools` (games, simulations, records) and `player_commands` (arena).  `contests` belongs
to the arena, `gallery` and `drawing` to pictures.
"""
