"""Stands for pytest: runs the functions of tests/ whose names begin with test_."""
import contextlib
import importlib.util
import inspect
import pathlib
import sys
import tempfile


class mark:
    @staticmethod
    def parametrize(names, rows):
        def keep(function):
            function.rows = [dict(zip(names.split(", "), row)) for row in rows]
            return function

        return keep


@contextlib.contextmanager
def raises(kind):
    try:
        yield
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")


def main():
    sys.path.insert(0, "src")
    passed, failed = 0, 0
    for file in sorted(pathlib.Path("tests").glob("test_*.py")):
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in vars(module).items():
            if not name.startswith("test_"):
                continue
            for row in getattr(function, "rows", [{}]):
                needs = {"tmp_path": pathlib.Path(tempfile.mkdtemp())} if "tmp_path" in inspect.signature(function).parameters else {}
                try:
                    function(**row, **needs)
                    passed += 1
                except AssertionError:
                    failed += 1
                    print(f"FAILED {file}::{name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
