# SPDX-License-Identifier: Apache-2.0

"""Waits up to five minutes until a daemon responds and the indexes of all sealed days are built."""

import glob
import sqlite3
import sys
import time
import urllib.request


def is_ready(port: int) -> bool:
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz").status == 200
    except OSError:
        return False


def is_indexed(path: str) -> bool:
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
        return file.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'events_by_name'").fetchone()[0] == 1


def main(port: int, folder: str) -> None:
    for _ in range(3000):
        # The newest file is the open day.
        if is_ready(port) and all(is_indexed(path) for path in sorted(glob.glob(folder + "/*.db"))[:-1]):
            return
        time.sleep(0.1)
    sys.exit("the days are not indexed after five minutes")


main(int(sys.argv[1]), sys.argv[2])
