# SPDX-License-Identifier: Apache-2.0

"""Tests the package in a Debian container under systemd: package.py FOLDER.

FOLDER is a Debian with old.deb, new.deb, its signature new.deb.asc and the key operator.gpg in its /root.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import threading

from container import Container
from expecting import expect, wait_for

DATA = ["--data", "/var/lib/ingestd"]


class Operator:
    """Commands on the machine, as root or as the daemon's user, and requests of clients."""

    def __init__(self, machine):
        self.machine = machine

    def unit(self, name):
        return self.machine.run("systemctl", "show", "--property", name, "--value", "ingestd").strip()

    def is_serving(self):
        return self.machine.ask("systemctl", "is-active", "ingestd").strip() == "active"

    def ingestd(self, *arguments):
        return self.machine.run("runuser", "-u", "ingestd", "--", "ingestd", *arguments)

    def mode_of_configuration(self):
        return self.machine.run("stat", "--format", "%a %U:%G", "/etc/signalbox/ingestd.json5").strip()

    def make_app(self):
        self.keys = json.loads(self.ingestd("app", "create", "shop", "--json", *DATA))["keys"]

    def post(self, body, target="/v1/events"):
        return self.machine.request(target, self.keys["ingest"], "-H", "Content-Type: application/json", "--data-binary", json.dumps(body))

    def function_of_elf(self):
        """Sends a crash of a program with DWARF and returns the function of its frame."""
        build = "7193bee0-742a-21db-8cc9-05fce5275ed0"
        symbols = pathlib.Path(__file__).parents[1] / "Fixtures" / "symbols" / "Probe.elf"
        status, body = self.machine.request(f"/v1/symbols/{build}", self.keys["admin"], "-X", "PUT", "--data-binary", f"@{symbols}")
        expect("a file with DWARF is accepted", status in (200, 201), f"{status} {body[:200]}")
        image = {"type": "elf", "debug_id": build, "image_addr": "0x1000", "image_size": 65536}
        frame = {"instruction_addr": "0x2191", "image_addr": "0x1000", "in_app": True}
        status, body = self.post({"crashes": [{"id": "dwarf", "type": "Dwarf", "frames": [frame], "images": [image]}]}, "/v1/crashes")
        issue = json.loads(body)["results"][0]["issue"]

        def function():
            shown = json.loads(self.machine.request(f"/v1/issues/{issue}/events/dwarf", self.keys["read"])[1])
            return shown["report"]["frames"][0].get("function")

        wait_for(function, 20)
        return function()

    def log(self, function):
        return self.machine.request(f"/v1/functions/{function}/logs?limit=1000", self.keys["read"])[1]

    def exported(self):
        return self.ingestd("export", "--app", "shop", *DATA).count("\n")

    def counted(self):
        status, body = self.machine.request("/v1/query/series?metric=events&from=-2d&to=now", self.keys["read"])
        return json.loads(body)["series"][0]["total"] if status == 200 else body


class Load:
    """Clients that send one event after the other, each over a new connection. A request that met a stopping daemon is sent once more."""

    def __init__(self, operator, name):
        self.operator, self.name, self.answers, self.going = operator, name, [], True
        self.threads = [threading.Thread(target=self.send, args=(client,)) for client in range(3)]

    def send(self, client):
        number = 0
        while self.going:
            number += 1
            event = [{"id": f"{self.name}-{client}-{number}", "name": self.name}]
            status = self.operator.post(event)[0]
            self.answers.append(status if status == 200 else self.operator.post(event)[0])

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.goes_on(20)
        return self

    def goes_on(self, count):
        """Waits for a number of further responses."""
        goal = len(self.answers) + count
        expect(f"{count} requests are answered", wait_for(lambda: len(self.answers) >= goal, 120))

    def __exit__(self, *_):
        self.going = False
        for thread in self.threads:
            thread.join()
        self.taken = self.answers.count(200)


def check_install(machine, operator):
    machine.run("apt-get", "install", "-y", "--no-install-recommends", "/root/old.deb")
    expect("the installed service serves", operator.is_serving())
    expect("systemd shows the service's status", operator.unit("StatusText").startswith("Serving on 127.0.0.1:8787"), operator.unit("StatusText"))
    expect("the service runs as the user ingestd", machine.run("ps", "-o", "user=", "-p", operator.unit("MainPID")).strip() == "ingestd")
    operator.make_app()
    status, body = operator.post([{"id": "first", "name": "first"}])
    expect("an event is accepted", status == 200 and json.loads(body)["accepted"] == 1, status)
    mode = operator.mode_of_configuration()
    expect("only root and the daemon read the configuration", mode == "640 root:ingestd", mode)
    check_parts(machine)
    expect("the manual page is installed", pathlib.Path(machine.folder, "usr/share/man/man1/dashboard-cli.1.gz").exists())
    level = machine.run("systemd-analyze", "security", "--no-pager", "ingestd.service").splitlines()[-1]
    expect("systemd rates the running service", "exposure level" in level, level.split("for ")[-1])


def check_signature(machine):
    """Checks the signature of the upgrade, and that a changed package does not have it."""
    root = pathlib.Path(machine.folder, "root")

    def is_signed(package):
        done = subprocess.run(["gpgv", "--keyring", root / "operator.gpg", root / "new.deb.asc", package], capture_output=True)
        return done.returncode == 0

    changed = root / "changed.deb"
    changed.write_bytes((root / "new.deb").read_bytes() + b" ")
    expect("the package has the signature of the operator's key", is_signed(root / "new.deb"))
    expect("a changed package has no valid signature", not is_signed(changed) and not is_signed(root / "old.deb"))
    changed.unlink()


def is_spdx(parts):
    """Whether a document has what SPDX 2.3 requires, and refers only to its own parts."""
    elements = [parts, *parts["packages"], *parts["files"]]
    names = [element["SPDXID"] for element in elements]
    own = parts["packages"][0]
    sums = sorted(sum["checksumValue"] for file in parts["files"] for sum in file["checksums"] if sum["algorithm"] == "SHA1")
    return (parts["spdxVersion"], parts["dataLicense"], parts["SPDXID"]) == ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT") \
        and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", parts["creationInfo"]["created"]) is not None \
        and all(re.fullmatch("SPDXRef-[A-Za-z0-9.-]+", name) for name in names) and len(set(names)) == len(names) \
        and all(package["name"] and package["downloadLocation"] for package in parts["packages"]) \
        and own["packageVerificationCode"]["packageVerificationCodeValue"] == hashlib.sha1("".join(sums).encode()).hexdigest() \
        and all({one["spdxElementId"], one["relatedSpdxElement"]} <= set(names) for one in parts["relationships"])


def check_parts(machine):
    """Checks that the list of parts names the installed files and the libraries that the package depends on."""
    path = "usr/share/doc/signalbox/signalbox.spdx.json"
    parts = json.loads(pathlib.Path(machine.folder, path).read_text())
    expect("the list of parts is SPDX 2.3", is_spdx(parts))
    sums = {file["fileName"]: one["checksumValue"] for file in parts["files"] for one in file["checksums"] if one["algorithm"] == "SHA256"}
    installed = {name for name in machine.run("dpkg-query", "--listfiles", "signalbox").split() if pathlib.Path(machine.folder, name[1:]).is_file()}
    expect("the list of parts has the sums of all installed files", sums == {
        f".{name}": hashlib.sha256(pathlib.Path(machine.folder, name[1:]).read_bytes()).hexdigest() for name in installed - {"/" + path}})
    listed = {part["name"] for part in parts["packages"]}
    depends = machine.run("dpkg-query", "--show", "--showformat", "${Depends}", "signalbox")
    needed = {word.split()[0] for word in depends.split(",")} - {"adduser", "tzdata"}
    expect("the list of parts has the libraries", needed <= listed, needed - listed)


# Attempts of a reader of symbol files. It prints the ones that succeed.
HOSTILE = r"""#!/usr/bin/perl
use Socket;
$| = 1;
my %attempts = (
    network => sub { socket(my $socket, AF_INET, SOCK_STREAM, 0) },
    control => sub { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or return 0; connect($socket, sockaddr_un("/var/lib/ingestd/control.sock")) },
    database => sub { open(my $file, "<", "/var/lib/ingestd/main.db") },
    configuration => sub { open(my $file, "<", "/etc/signalbox/ingestd.json5") },
    system => sub { open(my $file, "<", "/etc/passwd") },
    write => sub { open(my $file, ">", "/var/lib/ingestd/new") },
    execute => sub { my $child = open(my $out, "-|", "/bin/true"); defined $child },
    signal => sub { kill 0, getppid },
);
while (my $line = <STDIN>) {
    my $done = join "+", "ran", grep { $attempts{$_}->() } sort keys %attempts;
    print qq({"Symbol":[{"FunctionName":"$done","FileName":"a.c","Line":1}]}\n);
}
"""


def check_hostile_reader(machine, operator):
    """Checks under the unit that a reader of symbol files reaches nothing else."""
    program = pathlib.Path(machine.folder, "usr/local/bin/hostile")
    program.write_text(HOSTILE)
    program.chmod(0o755)
    folder = pathlib.Path(machine.folder, "etc/systemd/system/ingestd.service.d")
    folder.mkdir(parents=True)
    (folder / "reader.conf").write_text("[Service]\nEnvironment=INGESTD_CRASHES_SYMBOLIZER=/usr/local/bin/hostile\n")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "ingestd")
    lack = json.loads(machine.request("/v1/system", operator.keys["read"])[1]).get("confinement_failure")
    if lack:
        print(f"SKIPPED: readers of symbol files are not confined here: {lack}")
    else:
        expect("a hostile reader of symbol files reaches nothing", operator.function_of_elf() == "ran", operator.function_of_elf())
    (folder / "reader.conf").unlink()
    folder.rmdir()
    program.unlink()
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "ingestd")


# Programs of functions: each adds one.
WORKERS = {
    "python": ("/usr/bin/python3", """
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    print(json.dumps({"id": call["id"], "result": call["data"]["n"] + 1}), flush=True)
"""),
    "node": ("/usr/bin/node", """
require("readline").createInterface({ input: process.stdin }).on("line", text => {
    const call = JSON.parse(text);
    console.log(JSON.stringify({ id: call.id, result: call.data.n + 1 }));
});
"""),
}


def check_workers(machine, operator):
    """Checks under the unit that programs carry out functions: one of Python as it is, one of Node.js with the drop-in file."""
    if json.loads(machine.request("/v1/system", operator.keys["read"])[1]).get("confinement_failure"):
        print("SKIPPED: workers are not confined here")
        return
    machine.run("apt-get", "install", "-y", "--no-install-recommends", "python3", "nodejs")
    folder = pathlib.Path(machine.folder, "etc/systemd/system/ingestd.service.d")
    folder.mkdir(parents=True)
    (folder / "allowed.conf").write_text("[Service]\nEnvironment=INGESTD_FUNCTIONS_WORKERS=true\n")
    restart(machine)
    for name, (program, source) in WORKERS.items():
        place = pathlib.Path(machine.folder, "srv", name)
        place.mkdir()
        (place / "worker").write_text(source)
        operator.ingestd("function", "worker", name, "--app", "shop", "--protocol", "lines", "--folder", f"/srv/{name}", *DATA, "--", program, "worker")
    expect("a worker of Python carries a run out under the unit", is_carried_out(machine, operator, "python"), operator.log("python"))
    failure = json.loads(machine.request("/v1/system", operator.keys["read"])[1]).get("worker_group_failure")
    if {"cpu", "memory", "pids"} <= set(machine.run("sh", "-c", "cat /sys/fs/cgroup/cgroup.controllers || true").split()):
        expect("a worker has a control group with all limits", failure is None, failure)
    else:
        print(f"SKIPPED: limits of workers by control groups: {failure}")
    machine.request("/v1/functions/node/tasks", operator.keys["send"], "--data-binary", '{"data": {"n": 1}}')
    expect("Node.js needs more than the unit allows", wait_for(lambda: "ended by itself" in operator.log("node"), 30), operator.log("node"))
    example = "usr/share/doc/signalbox/examples/ingestd-workers.conf"
    (folder / "workers.conf").write_bytes(pathlib.Path(machine.folder, example).read_bytes())
    restart(machine)
    expect("a worker of Node.js carries a run out with the drop-in file", is_carried_out(machine, operator, "node"), operator.log("node"))
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    restart(machine)


def is_carried_out(machine, operator, name):
    """Whether a new run of a function is done."""
    status, body = machine.request(f"/v1/functions/{name}/tasks", operator.keys["send"], "--data-binary", '{"data": {"n": 1}}')
    expect(f"a task of {name} is accepted", status == 201, f"{status} {body[:200]}")
    run = json.loads(body)["id"]
    return wait_for(lambda: json.loads(machine.request(f"/v1/runs/{run}", operator.keys["read"])[1])["state"] == "done", 60)


def restart(machine):
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "ingestd")


def check_confinement(machine, operator):
    """Checks the unit's restrictions and what it must allow: children with a memory limit, threads with a lower priority, another reload."""
    process = operator.unit("MainPID")
    status = dict(line.split(":\t", 1) for line in machine.run("cat", f"/proc/{process}/status").splitlines() if ":\t" in line)
    expect("system calls are filtered and new privileges are denied", (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1"))
    expect("the service has no capability", {status[name] for name in ["CapEff", "CapPrm", "CapBnd", "CapAmb"]} == {"0000000000000000"})
    nice = machine.run("ps", "-L", "-o", "nice=", "-p", process).split()
    expect("sending threads have a lower priority", "10" in nice and "0" in nice)
    build = "7193bee0-742a-21db-8cc9-05fce5275ed0"
    symbols = f"MODULE Linux x86_64 {build.replace('-', '').upper()}0 Shop\nFUNC 10 10 0 _ZN4Shop8checkoutEv\n"
    status, body = machine.request(f"/v1/symbols/{build}", operator.keys["admin"], "-X", "PUT", "--data-binary", symbols)
    expect("symbols are accepted", status == 201, f"{status} {body[:200] if status != 201 else ''}")
    image = {"type": "elf", "debug_id": build, "image_addr": "0x1000", "image_size": 65536}
    frame = {"instruction_addr": "0x1018", "image_addr": "0x1000", "in_app": True}
    status, body = operator.post({"crashes": [{"id": "c", "type": "Boom", "handled": False, "frames": [frame], "images": [image]}]}, "/v1/crashes")
    issue = json.loads(body)["results"][0]["issue"]
    expect("a child process demangles names",
           wait_for(lambda: "Shop::checkout()" in machine.request(f"/v1/issues/{issue}/events/latest", operator.keys["read"])[1], 20))
    child = machine.ask("pgrep", "--parent", process).split()
    limits = [machine.ask("cat", f"/proc/{one}/limits") for one in child]
    expect("the child process has a memory limit", limits and all("Max address space         1073741824" in text for text in limits))
    machine.run("systemctl", "reload", "ingestd")
    expect("a reload keeps the process", wait_for(operator.is_serving, 20) and operator.unit("MainPID") == process)


def check_watch(machine, operator):
    expect("systemd's watchdog is active", operator.unit("WatchdogUSec") == "2min", operator.unit("WatchdogUSec"))
    folder = pathlib.Path(machine.folder, "etc/systemd/system/ingestd.service.d")
    folder.mkdir(parents=True)
    (folder / "watch.conf").write_text("[Service]\nWatchdogSec=2\n")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "ingestd")
    process = operator.unit("MainPID")
    subprocess.run(machine.line("sleep", "5"), check=True)
    expect("a working daemon is not restarted", operator.unit("MainPID") == process and operator.is_serving())
    machine.run("kill", "-STOP", process)
    expect("a hung daemon is restarted", wait_for(lambda: operator.is_serving() and operator.unit("MainPID") not in (process, "0"), 40))
    (folder / "watch.conf").unlink()
    folder.rmdir()
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "ingestd")
    expect("the restarted daemon has the stored event", operator.counted() == operator.exported() == 1)


def check_upgrade(machine, operator):
    before = operator.unit("MainPID")
    # As version 0.1 left it.
    machine.run("chown", "root:root", "/etc/signalbox/ingestd.json5")
    machine.run("chmod", "0644", "/etc/signalbox/ingestd.json5")
    with Load(operator, "upgrade") as load:
        machine.run("apt-get", "install", "-y", "/root/new.deb")
        expect("the restarted daemon serves", wait_for(operator.is_serving) and operator.unit("MainPID") != before)
        load.goes_on(20)
    version = machine.run("dpkg-query", "--show", "--showformat", "${Version}", "signalbox")
    expect("the upgraded version is installed", version.endswith("-2"), version)
    mode = operator.mode_of_configuration()
    expect("an upgrade makes an existing configuration private", mode == "640 root:ingestd", mode)
    expect("events from before and during the upgrade are kept", operator.counted() == operator.exported() == 1 + load.taken, f"{load.taken} beside it")
    return 1 + load.taken


def check_socket(machine, operator, stored):
    machine.run("systemctl", "stop", "ingestd")
    machine.run("systemctl", "enable", "--now", "ingestd.socket")
    machine.run("systemctl", "start", "ingestd")
    with Load(operator, "socket") as load:
        for _ in range(3):
            machine.run("systemctl", "restart", "ingestd")
            load.goes_on(10)
    expect("three restarts behind the socket answer every request with 200", set(load.answers) == {200}, {code: load.answers.count(code) for code in set(load.answers)})
    expect("three restarts lose no event", operator.counted() == operator.exported() == stored + load.taken)
    machine.run("systemctl", "disable", "--now", "ingestd.socket")
    machine.run("systemctl", "restart", "ingestd")
    return stored + load.taken


def check_backup(machine, operator, stored):
    """Follows the drill of docs/operate/backup.md."""
    backup = "/var/backups/ingestd/drill"
    with Load(operator, "backup") as load:
        least = stored + load.answers.count(200)
        operator.ingestd("backup", backup, *DATA)
        most = stored + len(load.answers) + len(load.threads)
        load.goes_on(10)
    operator.ingestd("restore", backup, "--verify")
    machine.run("systemctl", "stop", "ingestd")
    machine.run("mv", "/var/lib/ingestd", "/var/lib/ingestd.before")
    machine.run("install", "-d", "-o", "ingestd", "-g", "ingestd", "-m", "0700", "/var/lib/ingestd")
    operator.ingestd("restore", backup, *DATA)
    machine.run("systemctl", "start", "ingestd")
    restored = operator.counted()
    expect("a backup under load restores the events of its time", least <= restored <= most and operator.exported() == restored,
           f"{least} ≤ {restored} ≤ {most}")
    machine.run("rm", "-r", "/var/lib/ingestd.before")
    return restored


def check_leaving(machine, operator, stored):
    machine.run("apt-get", "remove", "-y", "signalbox")
    expect("a removed package's service does not run", machine.ask("systemctl", "is-active", "ingestd").strip() != "active")
    kept = [pathlib.Path(machine.folder, path).exists() for path in ["etc/signalbox/ingestd.json5", "var/lib/ingestd/main.db", "usr/bin/ingestd"]]
    expect("a removed package leaves its configuration and data", kept == [True, True, False])
    words = machine.run("apt-get", "purge", "-y", "signalbox")
    kept = [pathlib.Path(machine.folder, path).exists() for path in ["etc/signalbox", "var/lib/ingestd/main.db", "var/backups/ingestd/drill"]]
    expect("a purged package leaves only data and backups", kept == [False, True, True])
    expect("the purge names the data folder", "data is left in /var/lib/ingestd" in words)
    machine.run("apt-get", "install", "-y", "--no-install-recommends", "/root/new.deb")
    expect("a package that is installed again serves the stored events", operator.is_serving() and operator.counted() == operator.exported() == stored, stored)


def main():
    with Container(sys.argv[1]) as machine:
        operator = Operator(machine)
        check_signature(machine)
        check_install(machine, operator)
        check_confinement(machine, operator)
        check_hostile_reader(machine, operator)
        check_workers(machine, operator)
        check_watch(machine, operator)
        stored = check_upgrade(machine, operator)
        stored = check_socket(machine, operator, stored)
        stored = check_backup(machine, operator, stored)
        check_leaving(machine, operator, stored)


main()
