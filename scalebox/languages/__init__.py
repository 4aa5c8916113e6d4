"""Languages as data: definitions, their catalogue and the text around call and assert cases."""
