"""The games: one package for each; none imports another.

Every game has these modules:

* `game`: number of players, length of a match, house rules; the `GAME` that puts the parts
  together, and how deals are written;
* `cards`: the pack, sets of cards, all moves, and how they are written;
* `state`: what a match is, and what one seat may know of it (in Auf falscher Fährte `view`);
* `rules`: what an action does, in the order of the rules text (with `questions` in Kaiserspiel),
  and why an action is not legal;
* `layout`: what a seat sees and may press, what is told about an action, why a trick was won;
* `coach`: what each decision is for, why a card may not be played, what speaks for a move.

Cards may be codes, indices or masks inside a game; only actions, layouts and records need codes.

Elsewhere a new game is named in the tables of `data/docs/notation.md` and in `tests/engine`
(`test_deal`, `test_verify_proofs`), `tests/conformance/laws_of_claims.py`,
`tests/discord/test_matches.py`, `tests/tables/test_customs.py` and `tests/browser/evening.py`; what
is drawn for it is in `bot/emojis.py` and in `faces`, `tiles`, `marks` and `artwork` of
`bot/pictures`; the signs in its pictures are explained in `data/rules`.
"""
