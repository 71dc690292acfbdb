"""For whoever runs the program: the `stammtisch` command, doctor, health, metrics, logs.

`cli` is the command; its parts are `db` (the database), `tools` (games, simulations, records),
`player_commands` (arena) and `emojis_command`.  `contests` belongs to the arena, `gallery` and
`drawing` to pictures.
"""
