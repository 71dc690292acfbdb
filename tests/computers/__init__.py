"""Computer players in processes; the game is the fifth one, whose players are small."""
