# Dicts keep insertion order whatever the hashes; a dict made from a set does not hide the set's order.
print(dict.fromkeys(["z", "a", "m"]), list(dict.fromkeys({"z", "a", "m", "q"})))
