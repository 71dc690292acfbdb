"""Computer players: each decides from the observation of its seat alone.

`player` says what a player is, `roster` which there are, `levels` how well they play at a table,
`search` how deals that fit an observation are played out, and players that need no search.  `kit`
is what a game brings for that, `duel` measures players.

A package for each game (its name is the game's id) has a `KIT`, the only part that is needed:

* `kit`: the `KIT`, from an observation to playouts and back to an action;
* `twin`: the rules in a fast form, on a vector of integers whose slots are constants there: legal
  moves, a random one, playing one;
* `policy`: rules of thumb, with their weights;
* `worlds`: deals that fit what a seat knows; in Auf und Ab and Sticheln also walks through the
  likely ones, which in Auf falscher Fährte are in `walk`.

In the twins `s` is the vector, `r` the state of the random numbers and `room` scratch space.
They are written in a subset of Python that numba compiles where it is installed and that runs
interpreted on lists elsewhere (`compiled`).  The rest of the engine does not import this package.
"""
