"""What runs inside a box beside a Python program: call cases, assert cases, and what carries their values out."""
