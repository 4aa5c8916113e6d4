# stdin: "k v\nm n\n"
import pathlib

print(pathlib.Path("/dev/stdin").read_text().splitlines())
print(pathlib.Path("/dev/stdin").read_bytes())
