"""Pure rules of card games.

Standard library only: no discord, no asyncio, no pydantic, no clock, no files and no global
random.  `game` is the interface of a game, `registry` finds the games, `layout` is what a seat
sees and may press.  `cards`, `tricks`, `options` and `notation` are what games share; `deal` is
the verifiable shuffle, `record` writes a match, `verify` checks it, `playout` plays at random.
"""
