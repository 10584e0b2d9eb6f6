# SPDX-License-Identifier: Apache-2.0
"""A worker of the protocol `lines` that answers at once, and the time that it needs by itself.

    python3 Benchmarks/Functions/lines.py           answers calls on standard input
    python3 Benchmarks/Functions/lines.py CALLS     prints the times of calls over bare pipes to such a program
"""
import json
import subprocess
import sys
import time


def answer():
    for line in sys.stdin:
        # A line with its end at once: print would write them apart where output is unbuffered, and wake the reader twice.
        sys.stdout.write(json.dumps({"id": json.loads(line)["id"], "result": 1}) + "\n")
        sys.stdout.flush()


def measure(calls):
    worker = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    call = {"type": "call", "data": {"order": "o-7"}, "context": {"app": 1, "function": "worker"}, "deadline": "2026-01-01T00:00:00.000Z"}
    times = []
    for number in range(calls):
        line = json.dumps({"id": f"call-{number}", **call}).encode() + b"\n"
        begin = time.perf_counter()
        worker.stdin.write(line)
        worker.stdin.flush()
        worker.stdout.readline()
        times.append(time.perf_counter() - begin)
    worker.stdin.close()
    worker.wait()
    times.sort()
    at = lambda share: f"{times[int(calls * share)] * 1000:.3f}"
    print(f"p50 / p99 / p99.9 {at(0.5)} / {at(0.99)} / {at(0.999)} ms")


measure(int(sys.argv[1])) if len(sys.argv) > 1 else answer()
