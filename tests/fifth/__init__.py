"""A fifth game in a folder of its own; `added` adds it to the program, `plays` plays it."""
