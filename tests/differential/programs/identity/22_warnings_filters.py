import sys
import warnings

print([(f[0], f[2].__name__) for f in warnings.filters])
print(sys.warnoptions, warnings.showwarning.__name__)
