"""Computer players: what each does is decided from the observation of its seat alone.

`player` says what a player is, `roster` which there are, `levels` how well they play at a table,
`search` how deals that fit an observation are played out.  A package per game (its name is the
game's id) has the rules in a fast form, the twin (`twin`), rules of thumb (`policy`), deals that
fit what a seat knows (`worlds`) and the `KIT` that ties them together.  `duel` and `figures`
measure players, `training` and `evolving` train them.

The twins are written in a subset of Python that numba compiles where it is installed and that runs
interpreted on lists elsewhere (`compiled`).  Nothing else in the engine knows of this room.
"""
