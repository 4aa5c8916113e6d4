# Frames of generators, coroutines and lambdas.
import asyncio
import sys


def numbers():
    yield sys._getframe().f_code.co_name


async def task():
    return sys._getframe().f_code.co_name, sys._getframe().f_lineno


generator = numbers()
print(generator.gi_frame.f_lineno, next(generator), generator.gi_code.co_qualname)
print(asyncio.run(task()), (lambda: sys._getframe().f_code.co_name)())
print([sys._getframe().f_code.co_name for _ in [0]])
