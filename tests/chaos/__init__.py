"""The chaos suite: many tables over the wire while everything goes wrong; then what must hold.

    python -m tests.chaos --seed 7 --matches 300 --kills 200 --faults 5000
    python -m tests.chaos --short

The seed repeats who opens what, who presses what and which faults are drawn; which of them
meet in time is up to the machine.  The last line of the output is JSON.
"""
