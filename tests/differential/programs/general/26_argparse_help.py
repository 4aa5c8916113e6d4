# --help prints to stdout and exits with 0.
import argparse

parser = argparse.ArgumentParser(description="Does nothing.")
parser.add_argument("numbers", nargs="*", type=int, help="some numbers")
parser.parse_args(["--help"])
