"""Pure rules of card games.

Standard library only: no discord, no asyncio, no pydantic, no clock, no files and no
global random.  `engine.game` is the interface, `engine.registry` finds the games.
"""
