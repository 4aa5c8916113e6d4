"""Rows of data sets as they are published, to problems with the program that is said to solve them. Runs nothing."""
