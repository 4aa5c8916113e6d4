# tag: known-difference
# Objects moved to the permanent generation by the surroundings, and collections already made.
import gc

print(gc.get_freeze_count(), [generation["collections"] for generation in gc.get_stats()])
