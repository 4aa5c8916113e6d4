# Hashes that are built from string hashes.
import datetime
import fractions

print(hash(("a", 1, ("b",))), hash(datetime.date(2024, 2, 29)), hash(datetime.timedelta(3)))
print(hash(fractions.Fraction(1, 3)), hash(1.5), hash(2**61), hash(float("inf")), hash(-1))
