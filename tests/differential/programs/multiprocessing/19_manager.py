# A manager's dict and list are shared through its server process.
import multiprocessing


def record(table, lines):
    table["child"] = 1
    lines.append("child")


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        table, lines = manager.dict(main=0), manager.list(["main"])
        child = context.Process(target=record, args=(table, lines))
        child.start()
        child.join()
        print(sorted(table.items()), list(lines))
