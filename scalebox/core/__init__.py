"""The nouns of ScaleBox. Standard library only, no I/O."""
