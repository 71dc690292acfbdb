"""What there is to see of a table, built from the table as it stands at one moment."""
