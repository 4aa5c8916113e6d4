# Temporary names come from a stream of their own and do not repeat in a child.
import os
import tempfile

one = next(tempfile._get_candidate_names())
reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, next(tempfile._get_candidate_names()).encode())
    os._exit(0)
os.wait()
print(len(one), os.read(reader, 100).decode() == one)
