# stdin: "3\n1\n2\n"
# Tasks, queues, timeouts, and that no loop was running before.
import asyncio
import sys


async def worker(queue, done):
    while (item := await queue.get()) is not None:
        await asyncio.sleep(item / 1000)
        done.append(item)


async def main():
    queue, done = asyncio.Queue(), []
    workers = [asyncio.create_task(worker(queue, done)) for _ in range(3)]
    for line in sys.stdin:
        await queue.put(int(line) * 15)
    for _ in workers:
        await queue.put(None)
    await asyncio.gather(*workers)
    print(done)
    try:
        await asyncio.wait_for(asyncio.sleep(5), 0.01)
    except asyncio.TimeoutError:
        print("timeout")
    return len(workers)


try:
    asyncio.get_running_loop()
except RuntimeError as error:
    print(error)
print(asyncio.run(main()))
