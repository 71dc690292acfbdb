"""The games: one package for each; none imports another.

In each: `game` is the `GAME` that puts the parts together, `rules` says what an action does, in
the order of the rules text, `state` what a match is.  `refusals` (or `rules`) say why an action is
not legal, `moves` or `notation` how actions are written, `view`, `knowledge` or `state` what one
seat may know, `layout` what it sees and may press, `options` seats and lengths, `events` what is
told, `coach` and `advice` what explains a decision.
"""
