"""Model text to source. Pure: text in, text out; nothing is run."""
