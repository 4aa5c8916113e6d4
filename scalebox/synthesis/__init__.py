"""Special judges drafted by a language model and proved in the box before use, over any ``Judge``."""
