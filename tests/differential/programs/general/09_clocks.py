# Clocks go forward; process time starts small, as in a fresh process.
import time

print(time.process_time() < 2, time.thread_time() < 2, time.monotonic() <= time.monotonic())
start = time.perf_counter()
time.sleep(0.01)
print(0.009 < time.perf_counter() - start < 5, abs(time.time() - time.time_ns() / 1e9) < 1)
print(time.get_clock_info("monotonic").monotonic)
