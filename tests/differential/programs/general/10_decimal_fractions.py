# Decimal's context is the default one; fractions are exact.
import decimal
from fractions import Fraction

print(decimal.getcontext())
print(decimal.Decimal(1) / 7, decimal.Decimal("0.1") + decimal.Decimal("0.2"), Fraction("0.125") + Fraction(1, 3))
with decimal.localcontext() as context:
    context.prec = 5
    print(decimal.Decimal(2).sqrt())
print(decimal.Decimal(2).sqrt(), round(Fraction(7, 3), 2))
