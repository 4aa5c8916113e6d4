# argparse names the program after this file and exits with 2.
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int, required=True)
print(parser.prog)
print(parser.parse_args(["--n", "3"]))
parser.parse_args()
