# SPDX-License-Identifier: Apache-2.0
"""The memory of a daemon while many uploads arrive slowly, each with 4 KiB a second.

    python3 Benchmarks/Files/trickle.py PORT KEY PROCESS UPLOADS
"""
import select
import socket
import sys
import time
import urllib.request

port, key, process, uploads = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
seconds, piece, size = 20, 4 << 10, 256 << 10


def resident():
    with open(f"/proc/{process}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def transfers():
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        return next(int(line.split()[1]) for line in answer.read().decode().splitlines() if line.startswith("signalbox_files_transfers "))


def start(number):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall((
        f"PUT /v1/files/bench/trickle/{number} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {size}\r\n\r\n").encode())
    return connection


before = resident()
connections = [start(number) for number in range(uploads)]
answers = select.poll()
for connection in connections:
    answers.register(connection, select.POLLIN)
sizes, under_way = [], []
begin = time.monotonic()
for turn in range(1, seconds + 1):
    for connection in connections:
        connection.sendall(bytes(piece))
    if ended := answers.poll(0):
        sys.exit(f"trickle: {len(ended)} of {uploads} uploads were answered before their end")
    sizes.append(resident())
    under_way.append(transfers())
    time.sleep(max(0, begin + turn - time.monotonic()))
# The first turn still opens uploads.
least, most = min(under_way[1:]), max(sizes)
print(f"{uploads} uploads at once: at least {least} under way for {time.monotonic() - begin:.0f} s, resident {before:.1f} → at most {most:.1f} MiB")
print(f"  +{most - before:.1f} MiB, bar +80")
