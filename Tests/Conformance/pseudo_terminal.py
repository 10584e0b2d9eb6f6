# SPDX-License-Identifier: Apache-2.0

"""A program in a pseudo terminal of ptyprocess, with its output interpreted by pyte."""

import os
import re
import select
import signal
import termios
import time

import ptyprocess
import pyte

BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"
LEAVE = b"\x1b[?25h\x1b[?1049l"


class PseudoTerminal:
    patience = 30.0

    def __init__(self, arguments, environment, columns=80, rows=24):
        # The shell waits for a line first, so that the terminal's settings are recorded before the program changes them.
        waiting = ["/bin/sh", "-c", 'read -r line; exec "$@"', "sh", *arguments]
        self.process = ptyprocess.PtyProcess.spawn(waiting, env=environment, dimensions=(rows, columns))
        self.exit = os.pidfd_open(self.process.pid)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.output = b""
        self.before = self.settings()
        self.type("\n")

    # Reading the screen.

    @property
    def rows(self):
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.rows)

    @property
    def shown_pane(self):
        """The underlined title in the row of tabs."""
        row = self.screen.buffer[1]
        return "".join(row[x].data for x in range(self.screen.columns) if row[x].underscore)

    def until(self, what, check):
        """Reads until a check holds for a complete frame."""
        end = time.monotonic() + self.patience
        while self.output.rfind(BEGIN) > self.output.rfind(END) or not check():
            if time.monotonic() > end or not self.read(end - time.monotonic()):
                raise SystemExit(f"terminal: no {what} in\n{self.text}\n{self.output[-300:]!r}")

    def until_text(self, *texts):
        self.until(" and ".join(texts), lambda: all(text in self.text for text in texts))

    def until_pane(self, title):
        self.until(f"pane {title}", lambda: self.shown_pane == title)

    def until_size(self, columns, rows):
        """Resizes the terminal and waits for a frame that fills it."""
        mark = len(self.output)
        self.resize(columns, rows)
        self.until(f"frame of {columns}x{rows}", lambda: b"\x1b[2J" in self.output[mark:])

    def read(self, seconds):
        """Whether there was output or the program still runs."""
        ready, _, _ = select.select([self.process.fd], [], [], max(0.0, min(0.5, seconds)))
        if not ready:
            return True
        try:
            data = os.read(self.process.fd, 1 << 16)
        except OSError:
            return False
        self.output += data
        self.stream.feed(data)
        return bool(data)

    # Input.

    def type(self, text):
        os.write(self.process.fd, text.encode())

    def click(self, text):
        """Clicks on the first letter of a text with the left button."""
        y, row = next((y, row) for y, row in enumerate(self.rows) if text in row)
        x = row.index(text) + 1
        self.type(f"\x1b[<0;{x};{y + 1}M\x1b[<0;{x};{y + 1}m")

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self.process.setwinsize(rows, columns)

    def signal(self, number):
        os.kill(self.process.pid, number)

    def state(self):
        """The process state of the kernel: R, S, T and so on."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]

    def until_stopped(self):
        self.until("stop", lambda: self.state() == "T")

    def settings(self):
        flags = termios.tcgetattr(self.process.fd)
        return flags[:4] + flags[6:]

    # The end.

    def ended(self):
        """The exit code, or the negative number of the signal, after all output was read."""
        end = time.monotonic() + self.patience
        while not select.select([self.exit], [], [], 0)[0] and time.monotonic() < end and self.read(0.5):
            pass
        if not select.select([self.exit], [], [], max(0.0, end - time.monotonic()))[0]:
            raise SystemExit(f"terminal: it does not end:\n{self.text}")
        while select.select([self.process.fd], [], [], 0)[0] and self.read(0):
            pass
        self.process.isalive()
        return self.process.exitstatus if self.process.signalstatus is None else -self.process.signalstatus

    def expect_given_back(self):
        """Checks that settings, screen and cursor of the terminal are restored."""
        assert self.output.rstrip(b"\r\n").endswith(LEAVE), self.output[-200:]
        assert self.settings() == self.before, "the settings of the terminal are others than before"

    def leave(self):
        self.type("q")
        code = self.ended()
        assert code == 0, code
        self.expect_given_back()

    def drop(self):
        if self.process.isalive():
            self.process.kill(signal.SIGKILL)
        self.process.close()
        os.close(self.exit)


def styles(output):
    """The parameters of every SGR sequence."""
    return {int(number or 0) for codes in re.findall(rb"\x1b\[([0-9;]*)m", output) for number in codes.split(b";")}
