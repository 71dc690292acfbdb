"""A computer player in any language: this one plays the first legal action, without our package.

    stammtisch arena sticheln --seats 3 --players "exec:python3 data/docs/player.py,greedy,greedy"

It speaks `stammtisch.policy/1` (data/docs/notation.md): a line of JSON in, a line of JSON out.
"""

import json
import sys


def choose(question: dict) -> str:
    """One of `question["legal"]`: here stands how the player plays.

    `question["rounds"]` is what its seat has seen, the last of them is running: `deal.hands` with
    its own cards, `actions` with what everybody did.
    """
    return question["legal"][0]


for line in sys.stdin:
    question = json.loads(line)
    if question.get("quit"):
        break
    print(json.dumps({"id": question["id"], "do": choose(question)}), flush=True)
