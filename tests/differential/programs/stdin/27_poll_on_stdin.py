# stdin: "x"
import select

poll = select.poll()
poll.register(0, select.POLLIN)
print(poll.poll(0) == [(0, select.POLLIN)])
