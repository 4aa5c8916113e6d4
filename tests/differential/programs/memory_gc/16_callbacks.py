# Collection callbacks see start and stop.
import gc

phases = []
gc.collect()
gc.callbacks.append(lambda phase, info: phases.append((phase, info["generation"])))
gc.collect()
gc.collect(0)
gc.callbacks.clear()
print(phases)
