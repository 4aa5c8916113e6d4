# The start method is the version's own default until it is set, and can be set once.
import multiprocessing

print(multiprocessing.get_start_method(allow_none=True))
print(sorted(multiprocessing.get_all_start_methods()))
multiprocessing.set_start_method("fork")
print(multiprocessing.get_start_method())
try:
    multiprocessing.set_start_method("spawn")
except RuntimeError as error:
    print(error)
