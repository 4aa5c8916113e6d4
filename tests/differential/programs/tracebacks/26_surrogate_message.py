raise ValueError("lone \udcff surrogate")
