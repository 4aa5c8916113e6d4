# A duplex pipe; EOFError when the other end is closed.
import multiprocessing


def serve(connection):
    while True:
        n = connection.recv()
        if n is None:
            break
        connection.send(n + 1)
    connection.close()


context = multiprocessing.get_context("fork")
here, there = context.Pipe()
child = context.Process(target=serve, args=(there,))
child.start()
there.close()
for n in (1, 10, 100):
    here.send(n)
    print(here.recv())
here.send(None)
child.join()
try:
    here.recv()
except EOFError:
    print("EOFError", child.exitcode)
