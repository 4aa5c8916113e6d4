# deepcopy of moderate nesting works; of deep nesting raises RecursionError.
import copy

deep = []
for _ in range(200):
    deep = [deep]
print(copy.deepcopy(deep) == deep)
for _ in range(2_000):
    deep = [deep]
try:
    copy.deepcopy(deep)
except RecursionError as error:
    print(type(error).__name__)
