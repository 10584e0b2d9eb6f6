# SPDX-License-Identifier: Apache-2.0

"""A Debian container with systemd as its first process, on the kernel of this machine."""

import subprocess

from expecting import wait_for


class Container:
    """Runs from a folder with a private loopback only, and ends with its `with` block."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.log = open(f"{self.folder}.log", "w+b")
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", f"--directory={self.folder}", "--register=no", "--keep-unit", "--private-network", "--console=pipe",
             # The filter of Debian 12's nspawn does not know these calls.
             "--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self", "--boot"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        try:
            self.first = wait_for(self.first_process, 30)
            if not wait_for(lambda: self.ask("systemctl", "is-system-running").strip() in ("running", "degraded"), 180):
                raise SystemExit(f"the container does not start: {open(self.log.name, errors='replace').read()[-4000:]}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            # SIGTERM asks for a shutdown; SIGKILL follows if it takes too long.
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def first_process(self):
        found = subprocess.run(["pgrep", "--parent", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return found[0] if found else None

    def line(self, *command):
        return ["nsenter", "--target", self.first, "--all", "--root", "--wd", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
                "DEBIAN_FRONTEND=noninteractive", *command]

    def run(self, *command):
        """Runs a command that must succeed and returns its standard output."""
        done = subprocess.run(self.line(*command), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def ask(self, *command):
        """Runs a command that may fail and returns its standard output."""
        return subprocess.run(self.line(*command), capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout

    def request(self, target, key, *options):
        """Returns status and body of a request over the container's loopback, sent with this machine's curl."""
        done = subprocess.run(
            ["nsenter", "--target", self.first, "--net", "curl", "-sS", "--max-time", "30", "-w", "\n%{http_code}", "-H", f"Authorization: Bearer {key}",
             *options, f"http://127.0.0.1:8787{target}"], capture_output=True, text=True)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body
