"""For whoever runs the program: the `stammtisch` command, doctor, health, metrics, logs."""
