"""What `added.py` makes a part of `engine.games`."""
