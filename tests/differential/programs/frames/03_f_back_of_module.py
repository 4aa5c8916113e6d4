# tag: known-difference
# What is beneath the module's frame, and how many frames there are.
import sys
import traceback

print(sys._getframe().f_back is None, len(traceback.extract_stack()))
