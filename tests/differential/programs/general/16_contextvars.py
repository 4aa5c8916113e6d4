# Context variables start empty and are copied into tasks.
import asyncio
import contextvars

print(len(contextvars.copy_context()))
level = contextvars.ContextVar("level", default=0)


async def child():
    level.set(level.get() + 1)
    return level.get()


async def main():
    level.set(10)
    return await asyncio.gather(child(), child()), level.get()


print(asyncio.run(main()), level.get(), contextvars.copy_context().run(lambda: (level.set(5), level.get())[1]), level.get())
