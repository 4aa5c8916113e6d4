import contextlib
import io

inner = io.StringIO()
with contextlib.redirect_stdout(inner):
    print("captured")
print("shown", repr(inner.getvalue()))
