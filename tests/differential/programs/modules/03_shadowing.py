# A file in the working folder shadows a library module that was not imported yet.
with open("colorsys.py", "w") as source:
    source.write("SHADOW = 'mine'\n")
import colorsys

print(colorsys.SHADOW, hasattr(colorsys, "rgb_to_hsv"))
