# Nested JSON: 900 levels parse, 100,000 raise RecursionError.
import json

print(json.dumps(json.loads("[" * 900 + "]" * 900)) == "[" * 900 + "]" * 900)
try:
    json.loads("[" * 100_000 + "]" * 100_000)
except RecursionError as error:
    print(type(error).__name__)
