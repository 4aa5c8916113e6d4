# secrets: lengths and alphabets.
import secrets
import string

print(len(secrets.token_bytes(16)), len(secrets.token_hex(8)), set(secrets.token_hex(8)) <= set(string.hexdigits))
print(secrets.token_bytes(16) != secrets.token_bytes(16), secrets.randbelow(1), secrets.compare_digest("a", "a"))
