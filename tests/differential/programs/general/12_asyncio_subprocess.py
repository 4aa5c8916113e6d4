# A subprocess awaited by asyncio, and run_in_executor.
import asyncio
import math


async def main():
    process = await asyncio.create_subprocess_shell("cat; exit 2", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate(b"through")
    print(out, process.returncode)
    print(await asyncio.get_running_loop().run_in_executor(None, math.factorial, 10))


asyncio.run(main())
