import contextvars
import threading

var = contextvars.ContextVar("var", default="unset")
local = threading.local()
var.set("main")
local.x = 1


def work():
    print(var.get(), hasattr(local, "x"))


thread = threading.Thread(target=work)
thread.start()
thread.join()
print(var.get(), local.x)
