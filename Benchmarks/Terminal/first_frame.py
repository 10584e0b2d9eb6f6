# SPDX-License-Identifier: Apache-2.0

"""Measures the dashboard's time to the first frame and to a key press with a daemon that never responds: first_frame.py PROGRAM STARTS."""

import fcntl
import os
import pty
import select
import socket
import struct
import sys
import termios
import time


def start(program, port, columns, rows):
    """Starts the program in a new pseudo-terminal. Returns both and the start time."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        variables = {"SIGNALBOX_URL": f"http://127.0.0.1:{port}", "SIGNALBOX_KEY": "k", "LANG": "C.UTF-8", "TERM": "xterm-256color", "PATH": os.environ["PATH"]}
        os.execve(program, [program], variables)
    return child, terminal, time.perf_counter()


def read_until(terminal, text, deadline=30.0):
    shown, end = b"", time.perf_counter() + deadline
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.perf_counter()))
        if not ready:
            raise SystemExit(f"first_frame: {text!r} is not shown: {shown[-300:]!r}")
        shown += os.read(terminal, 1 << 16)


def measure(program, port):
    child, terminal, started = start(program, port, 200, 60)
    read_until(terminal, b"\x1b[?2026l")
    first = time.perf_counter() - started
    pressed = time.perf_counter()
    os.write(terminal, b"?")
    read_until(terminal, b"Leaves.")
    help_shown = time.perf_counter() - pressed
    pressed = time.perf_counter()
    os.write(terminal, b"q")
    read_until(terminal, b"\x1b[?1049l")
    _, status = os.waitpid(child, 0)
    left = time.perf_counter() - pressed
    os.close(terminal)
    if status != 0:
        raise SystemExit(f"first_frame: it ended with {status}")
    return first, help_shown, left


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    # The kernel accepts connections, and no process reads from them.
    silent = socket.create_server(("127.0.0.1", 0), backlog=1024)
    rounds = [measure(program, silent.getsockname()[1]) for _ in range(count)]
    for name, times in zip(["first frame", "help after its key", "end after q"], zip(*rounds)):
        times = sorted(1000 * each for each in times)
        print(f"{name}: least {times[0]:.1f} ms, median {times[count // 2]:.1f} ms, p99 {times[min(count - 1, count * 99 // 100)]:.1f} ms")


main()
