"""How good judges are: true positive and true negative rates on outputs and submissions whose worth is known, over any ``Judge``."""
