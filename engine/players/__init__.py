"""Computer players: what each does is decided from the observation of its seat alone.

`player` says what a player is, `roster` which there are, `search` how worlds are played out; a
package per game (its name is the game's id) has the flat twin of its rules (`twin`), rules of thumb
(`policy`), worlds that fit what a seat knows (`worlds`) and the `KIT` that ties them together.

The twins are written in a subset of Python that numba compiles where it is installed and that runs
interpreted on lists elsewhere (`compiled`).  Nothing else in the engine knows of this room.
"""
