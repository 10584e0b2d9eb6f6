# SPDX-License-Identifier: Apache-2.0
"""Fills the files.db of a stopped daemon with small files of app 1, a thousand in each folder.

    python3 Benchmarks/Files/fill.py FILES_DB COUNT
"""
import os
import sqlite3
import sys

path, count = sys.argv[1], int(sys.argv[2])
database = sqlite3.connect(path)
numbers = range(count)
first = 1_000_000
database.executemany("INSERT INTO contents (number, bytes) VALUES (?, x'00')", ((first + number,) for number in numbers))
database.executemany(
    """
    INSERT INTO objects (app, path, content, size, type, sha256, crc32c, generation, metageneration, created, updated)
    VALUES (1, ?, ?, 1, 'image/jpeg', ?, ?, ?, 1, 1, 1)
    """,
    ((f"folders/{n // 1000:03}/file-{n % 1000:03}.jpg", first + n, os.urandom(32), n, n + 1) for n in numbers))
database.commit()
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
