"""One module a game; none imports another."""
