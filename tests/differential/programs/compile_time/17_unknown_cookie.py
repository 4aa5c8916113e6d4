# coding: no-such-codec
# tag: compile
# skip: stderr: the parser words it otherwise for a file than for a text
# An encoding cookie that names no codec.
print("never")
