import builtins

print([name for name in ("exit", "quit", "copyright", "credits", "license", "help") if hasattr(builtins, name)])
print(sorted(name for name in vars(builtins) if name.startswith("_")))
