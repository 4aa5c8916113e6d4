# tag: compile
# await outside an async function.
import asyncio

await asyncio.sleep(0)
