"""Stands for ruff: `check --fix` removes imports that nothing uses."""
import pathlib
import sys

places = [word for word in sys.argv[2:] if not word.startswith("-")]
files = [file for place in map(pathlib.Path, places) for file in (place.rglob("*.py") if place.is_dir() else [place])]
if "--fix" in sys.argv:
    for file in files:
        text = file.read_text()
        lines = text.splitlines(keepends=True)
        kept = [line for line in lines if not (line.startswith("import ") and text.count(line.split()[1]) == 1)]
        file.write_text("".join(kept))
print(f"checked {len(files)} files")
