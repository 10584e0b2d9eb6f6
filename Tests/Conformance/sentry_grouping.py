# SPDX-License-Identifier: Apache-2.0

"""Groups errors that sentry-sdk sends from packages with equal file names: sentry_grouping.py DAEMON.

Functions of one name in files of one name are two issues; the same function called from elsewhere is one.
"""

import importlib
import pathlib
import sys
import tempfile

import sentry_sdk

from sentry import Daemon, start

VIEWS = """
def index(value):
    return int(value)

def by(key):
    return (lambda one: one[key])({})

class Cart:
    def total(self):
        raise KeyError("price")
"""


def package(folder, name):
    path = pathlib.Path(folder, name)
    path.mkdir()
    (path / "__init__.py").touch()
    (path / "views.py").write_text(VIEWS)
    return importlib.import_module(f"{name}.views")


def capture(call):
    try:
        call()
    except Exception as error:
        sentry_sdk.capture_exception(error)


def through(call):
    return call()


def main(program):
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as code:
        sys.path.insert(0, code)
        daemon = Daemon(program, data)
        try:
            start(daemon, in_app_include=["shop", "blog"])
            for name in ("shop", "blog"):
                views = package(code, name)
                for text in ("x", "order 17", "'quoted'"):
                    capture(lambda: views.index(text))
                capture(lambda: through(lambda: views.index("y")))
                capture(lambda: views.by("a"))
                capture(views.Cart().total)
            sentry_sdk.flush(10)
            items = daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]
        finally:
            daemon.end()
    found = sorted((item["culprit"], item["count"]) for item in items)
    wanted = sorted((f"{name}.views:{function}", count) for name in ("shop", "blog") for function, count in (("index", 4), ("by", 1), ("total", 1)))
    assert found == wanted, found
    print(f"{len(wanted)} functions of two packages with equal files are {len(wanted)} issues")


if __name__ == "__main__":
    main(*sys.argv[1:])
