"""Stands for pip: says what is installed."""
import sys

if sys.argv[1:2] == ["show"]:
    print(f"Name: {sys.argv[2]}\nVersion: 1.0")
else:
    print("pytest 1.0\nruff 1.0")
