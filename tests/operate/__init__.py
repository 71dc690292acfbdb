"""What whoever runs the program relies on: doctor, health, metrics, hosts."""
