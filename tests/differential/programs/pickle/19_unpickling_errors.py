# Broken pickles raise the same errors; the last one is uncaught.
import pickle

for data in (b"", b"garbage", b"c__main__\nNobody\n."):
    try:
        pickle.loads(data)
    except (EOFError, pickle.UnpicklingError, AttributeError) as error:
        print(type(error).__name__)
pickle.loads(b"\x80\x63.")
