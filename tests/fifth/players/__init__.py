"""Computer players of the fifth game, as `engine.players` has them of the others."""
