# SPDX-License-Identifier: Apache-2.0

"""Drives the dashboard in a pseudo terminal: terminal.py PROGRAMS, with PROGRAMS the folder of ingestd and dashboard-cli."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from pseudo_terminal import BEGIN, END, PseudoTerminal, styles

KIND = "EXC_BAD_ACCESS"


class Daemon:
    """A daemon on a folder of its own that keeps its address across restarts."""

    def __init__(self, programs, folder, port=0):
        self.programs, self.folder = programs, folder
        variables = {"INGESTD_MODE": "development", "INGESTD_SERVER_LISTEN": f"127.0.0.1:{port}", "INGESTD_STORAGE_DIRECTORY": f"{folder}/data"}
        self.log = open(f"{folder}/log", "w+b")
        self.process = subprocess.Popen([f"{programs}/ingestd"], env=variables, stdout=subprocess.DEVNULL, stderr=self.log)
        self.port = int(self.logged(rb"msg=serving address=127\.0\.0\.1:(\d+)"))
        with open(f"{folder}/data/development-keys.json") as file:
            self.keys = json.load(file)["keys"]

    def logged(self, pattern):
        end = time.monotonic() + 30
        while time.monotonic() < end and self.process.poll() is None:
            with open(self.log.name, "rb") as file:
                if found := re.search(pattern, file.read()):
                    return found[1]
            time.sleep(0.02)
        raise SystemExit("terminal: the daemon does not start")

    def environment(self, role, **more):
        address = {"SIGNALBOX_URL": f"http://127.0.0.1:{self.port}", "SIGNALBOX_KEY": self.keys[role]}
        return {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": os.environ["PATH"], **address, **more}

    def fill(self):
        subprocess.run([f"{self.programs}/dashboard-cli", "demo"], env=self.environment("ingest"), check=True, stderr=subprocess.DEVNULL)
        frames = [{"function": "Cart.checkout()", "filename": "Cart.swift", "lineno": 41, "in_app": True}]
        crash = {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "type": KIND, "handled": False, "release": "2.1.0", "frames": frames}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.keys['ingest']}", "Content-Type": "application/json"}
        connection.request("POST", "/v1/crashes", body=json.dumps({"crashes": [crash]}), headers=headers)
        assert connection.getresponse().status == 200

    def stop(self):
        self.process.terminate()
        assert self.process.wait(30) == 0

    def started_again(self):
        return Daemon(self.programs, self.folder, self.port)


@contextlib.contextmanager
def dashboard(daemon, *arguments, columns=80, rows=24, role="read", **environment):
    terminal = PseudoTerminal([f"{daemon.programs}/dashboard-cli", *arguments], daemon.environment(role, **environment), columns, rows)
    try:
        terminal.until("first frame", lambda: END in terminal.output)
        yield terminal
    finally:
        terminal.drop()


def panes(programs):
    """The titles of the panes with a tab, in order; each is also a command, and the help lists them first."""
    text = subprocess.run([f"{programs}/dashboard-cli", "--help"], check=True, capture_output=True, text=True).stdout
    return [line.split()[1].capitalize() for line in text.split("Panes:\n")[1].split("\n\n")[0].splitlines()]


def every_pane(daemon):
    """Switches panes by digit, tab and name. An incrementally painted frame equals a complete repaint."""
    titles = panes(daemon.programs)
    with dashboard(daemon, columns=120, rows=40) as terminal:
        for index, title in enumerate(titles):
            terminal.type(f"{(index + 1) % 10}" if index < 10 else "\t")
            terminal.until_pane(title)
            expect_whole(terminal)
        terminal.type("\t")
        terminal.until_pane(titles[0])
        terminal.type("\x1b[Z")
        terminal.until_pane(titles[-1])
        for title in reversed(titles):
            terminal.type(f":{title.lower()}\r")
            terminal.until_pane(title)
        terminal.leave()


def expect_whole(terminal):
    """Compares incremental painting with a repaint by ctrl-L, except for changing values such as the clock."""
    def painted_alike():
        pieces = terminal.rows[1:]
        mark = len(terminal.output)
        terminal.type("\x0c")
        terminal.until("frame painted wholly", lambda: b"\x1b[2J" in terminal.output[mark:])
        return pieces == terminal.rows[1:]
    assert any(painted_alike() for _ in range(20)), f"painting the whole screen changes what is shown:\n{terminal.text}"


def as_printed(daemon):
    """The screen has the rows that --plain prints, without wrapped or leftover text."""
    program = [f"{daemon.programs}/dashboard-cli", "overview", "--plain"]
    with dashboard(daemon, columns=100, rows=36) as terminal:
        terminal.until_text("Top events", "events today")

        def alike():
            printed = subprocess.run(program, env=daemon.environment("read"), check=True, capture_output=True, text=True).stdout.splitlines()
            terminal.read(0.2)
            # The rows between header and footer, without the last line, which changes with time.
            body = terminal.rows[2:-1]
            return [row.rstrip() for row in printed[1:len(body)]] == body[:-1]

        terminal.until("rows as --plain prints them", alike)
        terminal.leave()


def into_an_issue(daemon):
    with dashboard(daemon) as terminal:
        terminal.type("9")
        terminal.until_text(KIND, "> ")
        terminal.type("/no such thing\r")
        terminal.until("empty list", lambda: KIND not in terminal.text)
        terminal.type("/\x15bad_acc\r")
        terminal.until_text(KIND)
        terminal.type("\r")
        terminal.until_text("Issue iss_", "Crashes by day")
        terminal.type("\x7f")
        terminal.until("list of issues", lambda: "Issue iss_" not in terminal.text and KIND in terminal.text)
        terminal.leave()


def help_and_sizes(daemon):
    with dashboard(daemon) as terminal:
        terminal.type("?")
        terminal.until_text("Keys", "Quits.")
        for columns, rows in [(120, 40), (200, 60), (20, 5), (80, 24)]:
            terminal.until_size(columns, rows)
            terminal.until_text("Too small: 30x6" if columns < 30 else "Quits.")
        terminal.type("\x7f")
        terminal.until("end of the help", lambda: "Quits." not in terminal.text)
        expect_whole(terminal)
        terminal.leave()


def without_a_daemon(daemon):
    """Results stay with their age during an outage, and updates resume by themselves."""
    with dashboard(daemon) as terminal:
        terminal.until_text("Top events", "ready")
        daemon.stop()
        terminal.until_text("No daemon responds", "Data is", "Top events")
        daemon = daemon.started_again()
        terminal.until("ready daemon", lambda: "No daemon responds" not in terminal.text and "ready" in terminal.rows[0])
        terminal.leave()
    return daemon


def stopped_and_resumed(daemon):
    with dashboard(daemon) as terminal:
        terminal.until_text("Top events")
        terminal.type("\x1a")
        terminal.until_stopped()
        terminal.read(0)
        terminal.expect_given_back()
        # A stopped process does not get this signal.
        terminal.resize(100, 30)
        mark = len(terminal.output)
        terminal.signal(signal.SIGCONT)
        terminal.until("frame of 100x30", lambda: b"\x1b[2J" in terminal.output[mark:] and len(terminal.rows[0]) == 99 and "quit" in terminal.rows[29])
        terminal.leave()


def in_the_background(daemon):
    """A background job stops again instead of painting over the shell or ending at a line typed for the shell."""
    shell = PseudoTerminal(["/bin/bash", "--norc", "--noediting", "-i"], daemon.environment("read", PS1="shell> "))
    try:
        shell.until_text("shell>")
        shell.type(f"{daemon.programs}/dashboard-cli\n")
        shell.until_text("Top events", "quit")
        shell.type("\x1a")
        shell.until_text("Stopped")
        mark = len(shell.output)
        # The shell waits until the job stops or ends, with the second line unread meanwhile.
        shell.type("bg; wait %1\necho ended=$?\n")
        shell.until("end of the wait", lambda: re.search(rb"ended=\d+\r", shell.output[mark:]))
        assert b"ended=%d\r" % (128 + signal.SIGTTOU) in shell.output[mark:], f"it did not stop again:\n{shell.text}"
        assert BEGIN not in shell.output[mark:], "it paints in the background"
        mark = len(shell.output)
        shell.type("fg\n")
        shell.until("frame", lambda: END in shell.output[mark:])
        mark = len(shell.output)
        shell.type("q")
        shell.until("prompt", lambda: b"shell>" in shell.output[mark:])
        shell.type("exit\n")
        shell.ended()
    finally:
        shell.drop()


def fewer_colours_and_characters(daemon):
    with dashboard(daemon, NO_COLOR="1") as terminal:
        terminal.until_text("Top events")
        terminal.leave()
        assert styles(terminal.output) <= {0, 1, 2, 4, 7}, styles(terminal.output)
    with dashboard(daemon) as terminal:
        terminal.until_text("Top events")
        terminal.leave()
        assert 38 in styles(terminal.output)
    for arguments, term in [(["--ascii"], "xterm"), ([], "linux")]:
        with dashboard(daemon, *arguments, TERM=term) as terminal:
            terminal.until_text("Top events")
            terminal.leave()
            assert terminal.output.isascii()


def with_the_mouse(daemon):
    with dashboard(daemon, "--mouse") as terminal:
        terminal.until_text("Top events")
        terminal.click("Screens")
        terminal.until_pane("Screens")
        terminal.click("? help")
        terminal.until_text("Quits.")
        terminal.click("quit")
        assert terminal.ended() == 0
        terminal.expect_given_back()
        assert terminal.output.count(b"\x1b[?1006h") == terminal.output.count(b"\x1b[?1006l") == 1
    with dashboard(daemon) as terminal:
        terminal.leave()
        assert b"\x1b[?1000h" not in terminal.output


def however_it_ends(daemon):
    for number in [signal.SIGSEGV, signal.SIGTERM, signal.SIGHUP, signal.SIGABRT, signal.SIGINT, signal.SIGQUIT]:
        with dashboard(daemon) as terminal:
            terminal.until_text("Top events")
            terminal.signal(number)
            assert terminal.ended() == -number
            terminal.expect_given_back()
    with dashboard(daemon) as terminal:
        # The terminal is closed, so nothing is restored.
        process = terminal.process
        os.close(process.fd)
        process.fd, process.closed = -1, True
        # The signal, the end of input (0) and the failure to write a frame (1) come together, in any order.
        process.wait()
        assert process.signalstatus == signal.SIGHUP or process.exitstatus in (0, 1), process


def main():
    programs = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(programs, folder)
        try:
            daemon.fill()
            for check in [
                every_pane, as_printed, into_an_issue, help_and_sizes, stopped_and_resumed, in_the_background, fewer_colours_and_characters, with_the_mouse,
                however_it_ends,
            ]:
                check(daemon)
                print(f"terminal: {check.__name__.replace('_', ' ')}: as it ought to be", flush=True)
            daemon = without_a_daemon(daemon)
            print("terminal: without a daemon: as it ought to be")
        finally:
            daemon.process.kill()
            daemon.process.wait()


main()
