# SPDX-License-Identifier: Apache-2.0

"""A daemon on a socket that stays open across restarts, as with systemd's socket activation."""

import os
import re
import socket
import subprocess
import time


class ActivatedDaemon:
    """Restarts the daemon on demand; clients meanwhile wait in the backlog. Listens on a free loopback port, or on the socket file `path`."""

    def __init__(self, program, folder, path=None):
        self.program, self.folder = program, folder
        self.socket = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self.socket.bind(path or ("127.0.0.1", 0))
        self.socket.listen(1024)
        self.upstream = f"unix:{path}" if path else "127.0.0.1:%d" % self.socket.getsockname()[1]
        self.starts = 0
        self.start()

    def start(self):
        # The shell executes the daemon, so that LISTEN_PID has the right process ID.
        line = 'exec 3<&0 0</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" serve --data "$1"'
        self.starts += 1
        self.log = open(f"{self.folder}/log.{self.starts}", "w+b")
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", line, self.program, f"{self.folder}/data"], env={}, stdin=self.socket, stdout=subprocess.DEVNULL, stderr=self.log)
        self.logged(rb"msg=serving")

    def logged(self, pattern):
        end = time.monotonic() + 30
        while time.monotonic() < end and self.process.poll() is None:
            with open(self.log.name, "rb") as file:
                if found := re.search(pattern, file.read()):
                    return found
            time.sleep(0.02)
        raise SystemExit(f"the daemon does not start: {open(self.log.name).read()}")

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=60)

    def restart(self):
        code = self.stop()
        self.start()
        return code

    def command(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--data", f"{self.folder}/data"], env={}, check=True, capture_output=True, text=True)
        return done.stdout


def environment_of_tools():
    return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
