"""Problem packages of juries, as problems: Kattis and ICPC packages, and Polygon-like testlib directories."""
