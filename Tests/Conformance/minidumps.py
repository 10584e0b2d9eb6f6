# SPDX-License-Identifier: Apache-2.0

"""Uploads minidumps of many programs to a daemon: minidumps.py DAEMON FOLDER.

FOLDER has `*.dmp` files, at any depth, such as those of the projects Breakpad, rust-minidump, symbolic and Symbolicator, which belong to
these. Each dump must be stored once, with the threads and modules of the process, or as an issue that says why it cannot be read. The
second upload must reach the same issue, and the daemon must read a good dump after each bad one. Prints how each dump is named.
"""

import collections
import pathlib
import sys
import tempfile
import urllib.error
import urllib.request
import uuid

from sentry import Daemon, until

PENDING = "Minidump that was not read yet"
UNREADABLE = "Minidump that cannot be read"
LARGEST = 15 << 20


def upload(daemon, dump):
    """Sends a form as Crashpad does. Returns the ID of the crash."""
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="upload_file_minidump"; filename="a.dmp"\r\n\r\n'
    request = urllib.request.Request(
        f"http://127.0.0.1:{daemon.port}/api/default/minidump/?sentry_key={daemon.keys['ingest']}",
        head.encode() + dump + f"\r\n--{edge}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={edge}"}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{error.code}: {error.read().decode()}") from None


def crashes(daemon):
    """Returns the issue of each crash by its ID; None until all dumps have been read."""
    found, after = {}, ""
    while True:
        page = daemon.ask("GET", f"/v1/issues?limit=100{after}", "read")
        for issue in page["items"]:
            if issue["title"].startswith(PENDING):
                return None
            for event in daemon.ask("GET", f"/v1/issues/{issue['id']}/events?limit=1000", "read")["items"]:
                found[event["id"]] = issue
        if "next" not in page:
            return found
        after = "&after=" + page["next"]


def main(program, folder):
    ids, skipped = {}, []
    with tempfile.TemporaryDirectory() as data:
        daemon = Daemon(program, data)
        try:
            for path in sorted(pathlib.Path(folder).rglob("*.dmp")):
                dump = path.read_bytes()
                if not 0 < len(dump) <= LARGEST:
                    skipped.append(f"{path.name} of {len(dump)} bytes")
                    continue
                identifier = upload(daemon, dump)
                assert upload(daemon, dump) == identifier, f"{path}: its second upload is another crash"
                ids.setdefault(identifier, path)
            issues = until(lambda: crashes(daemon), seconds=300)
            for identifier, path in ids.items():
                report = daemon.ask("GET", f"/v1/issues/{issues[identifier]['id']}/events/{identifier}", "read")["report"]
                title = issues[identifier]["title"]
                frames = sum(len(thread.get("frames", [])) for thread in report.get("threads", []))
                print(f"minidumps: {path.name}: {title}: {len(report.get('threads', []))} threads, {frames} frames, {len(report.get('images', []))} modules")
                assert title.startswith(UNREADABLE) or report["threads"], f"{path}: no threads"
        finally:
            daemon.end()
    for name in skipped:
        print(f"minidumps: skipped {name}")
    unreadable = sum(issues[identifier]["title"].startswith(UNREADABLE) for identifier in ids)
    counts = collections.Counter(issues[identifier]["id"] for identifier in ids)
    print(f"minidumps: {len(ids)} dumps are {len(counts)} issues; {unreadable} cannot be read")
    assert ids, f"{folder} has no dumps"
    assert unreadable * 5 <= len(ids), "too many dumps cannot be read"


if __name__ == "__main__":
    main(*sys.argv[1:])
