import _thread

lock = _thread.allocate_lock()
lock.acquire()


def work():
    print("low level")
    lock.release()


_thread.start_new_thread(work, ())
lock.acquire()
print("main", _thread.get_ident() != 0, _thread.stack_size())
