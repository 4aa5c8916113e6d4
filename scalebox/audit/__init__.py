"""What a data set would do to its own reference solutions: rows in, findings and suggestions out, over any ``Judge``."""
