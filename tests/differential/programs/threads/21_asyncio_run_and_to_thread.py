import asyncio
import threading


async def main():
    name = await asyncio.to_thread(lambda: threading.current_thread() is threading.main_thread())
    results = await asyncio.gather(*(asyncio.sleep(0.001, n) for n in range(4)))
    print(name, results)


asyncio.run(main())
