# SPDX-License-Identifier: Apache-2.0

"""Uploads source maps and mappings with the real sentry-cli, and sends events as SDKs send them: source_maps.py DAEMON SENTRY_CLI.

Two builds of one program, with different minified names, must be one issue with original names.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import uuid

from sentry import Daemon, until

FIXTURES = pathlib.Path(__file__).parent.parent / "Fixtures"
FUNCTIONS = ["Object.pay", "runTask", "startPayment", "checkout", "addItem", "checkStock"]
METHODS = ["MainActivity.pay", "Runner.run", "Cart.checkout", "Stock.check"]


class Client:
    """sentry-cli with the daemon's admin key."""

    def __init__(self, daemon, program):
        # Some calls run in another folder.
        self.daemon, self.program = daemon, os.path.abspath(program)

    def run(self, *arguments, fails=False, role="admin"):
        done = subprocess.run(
            [self.program, *map(str, arguments)], capture_output=True, text=True, timeout=120,
            env={**os.environ, "SENTRY_URL": f"http://127.0.0.1:{self.daemon.port}", "SENTRY_AUTH_TOKEN": self.daemon.keys[role],
                 "SENTRY_ORG": "any", "SENTRY_PROJECT": "default"})
        said = done.stdout + done.stderr
        assert (done.returncode != 0) == fails, f"sentry-cli {arguments}: {done.returncode}\n{said}"
        return said


def send(daemon, event):
    body = "{}\n" + json.dumps({"type": "event"}) + "\n" + json.dumps(event) + "\n"
    request = urllib.request.Request(
        f"http://127.0.0.1:{daemon.port}/api/default/envelope/?sentry_key={daemon.keys['ingest']}", body.encode(), method="POST")
    urllib.request.urlopen(request, timeout=30).read()


def found(daemon, id):
    """Returns a resolved event with its issue; None until it is resolved."""
    for issue in daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]:
        for event in daemon.ask("GET", f"/v1/issues/{issue['id']}/events?limit=100", "read")["items"]:
            if event["id"] == str(uuid.UUID(id)):
                event = daemon.ask("GET", f"/v1/issues/{issue['id']}/events/{event['id']}", "read")
                return (issue["id"], event["report"]["exceptions"][-1]["frames"]) if event["symbols"] == "complete" else None
    return None


def script_event(platform, message, frames, images=(), **fields):
    frames = [{"in_app": True, **frame} for frame in frames]
    error = {"type": "RangeError", "value": message, "mechanism": {"type": "generic", "handled": False}, "stacktrace": {"frames": frames}}
    return {"event_id": uuid.uuid4().hex, "platform": platform, "level": "error", "exception": {"values": [error]}, **fields,
            **({"debug_meta": {"images": list(images)}} if images else {})}


def stack(build):
    return json.loads((FIXTURES / "sourcemaps" / build / "stack.json").read_text())


def copied(build, folder):
    for name in ("app.min.js", "app.min.js.map"):
        shutil.copy(FIXTURES / "sourcemaps" / build / name, folder)
    return folder / "app.min.js"


def moved(rest, lines):
    """Returns the place at which the rest of a line is now."""
    number = next(number for number, line in enumerate(lines) if line.endswith(rest))
    return {"lineno": number + 1, "colno": len(lines[number]) - len(rest) + 1}


def browser(daemon, client):
    """@sentry/browser with debug IDs, which `inject` writes into the files."""
    url, ids = "https://shop.example/static/app.min.js", []
    for build, is_late in (("first", True), ("second", False)):
        with tempfile.TemporaryDirectory() as folder:
            file = copied(build, pathlib.Path(folder))
            before = file.read_text().splitlines()[0]
            client.run("sourcemaps", "inject", folder)
            debug_id = re.search(r"debugId=([0-9a-f-]{36})", file.read_text())[1]
            # Injection inserts a statement on a line of its own.
            lines = file.read_text().splitlines()
            frames = [{"filename": url, "function": frame["function"], **moved(before[frame["colno"] - 1:], lines)} for frame in stack(build)]
            event = script_event("javascript", "in a browser", frames, [{"type": "sourcemap", "code_file": url, "debug_id": debug_id}])
            ids.append(event["event_id"])
            if is_late:
                send(daemon, event)
            client.run("sourcemaps", "upload", "--wait", folder)
            if not is_late:
                send(daemon, event)
    return ids


def node(daemon, client):
    """@sentry/node with a release: its frames have paths and context lines."""
    ids = []
    for build, release in (("first", "shop@2.1.0"), ("second", "shop@2.2.0")):
        with tempfile.TemporaryDirectory() as folder:
            copied(build, pathlib.Path(folder))
            frames = [{"filename": "app:///dist/app.min.js", "abs_path": "app:///dist/app.min.js", "module": "app.min", "context_line": "{snip}", **frame}
                      for frame in stack(build)]
            event = script_event("node", "in a server", frames, release=release)
            ids.append(event["event_id"])
            send(daemon, event)
            client.run("sourcemaps", "upload", "--release", release, "--url-prefix", "~/dist", "--wait", folder)
    return ids


def android(daemon, client):
    """sentry-java, with the UUID that `upload-proguard` makes from the mapping."""
    ids = []
    stacks = {
        "first": ("a", "c", [("com.shop.MainActivity", "a", 7), ("b.a", "run", 1), ("a.a", "b", 4)]),
        "second": ("c", "d", [("com.shop.MainActivity", "b", 3), ("a.b", "run", 2), ("c.b", "a", 1)]),
    }
    for build, (module, name, frames) in stacks.items():
        with tempfile.TemporaryDirectory() as folder:
            properties = pathlib.Path(folder, "sentry.properties")
            client.run("upload-proguard", "--require-one", "--write-properties", properties, FIXTURES / "mappings" / f"{build}.txt")
            mapping = re.search(r"io\.sentry\.ProguardUuids=(\S+)", properties.read_text())[1]
        frames = [{"filename": "SourceFile", "module": module, "function": function, "lineno": line,
                   **({"in_app": True} if module.startswith("com.shop.") else {})} for module, function, line in frames]
        error = {"type": name, "module": module, "value": "item 17", "mechanism": {"type": "UncaughtExceptionHandler", "handled": False},
                 "stacktrace": {"frames": frames}}
        event = {"event_id": uuid.uuid4().hex, "platform": "java", "level": "fatal", "release": "com.shop@2.1.0+57", "dist": "57",
                 "debug_meta": {"images": [{"type": "proguard", "uuid": mapping}]}, "exception": {"values": [error]}}
        ids.append(event["event_id"])
        send(daemon, event)
    return ids


def check(daemon, what, ids, names):
    events = [until(lambda: found(daemon, id)) for id in ids]
    # Issues may still be merged after the first event is resolved.
    until(lambda: len({found(daemon, id)[0] for id in ids}) == 1)
    for _, frames in events:
        assert names(frames), (what, frames)
    return len(ids)


def releases(client):
    client.run("releases", "new", "shop@3.0.0")
    client.run("releases", "finalize", "shop@3.0.0")
    listed = client.run("releases", "list", "--raw")
    assert "shop@3.0.0" in listed and "2.1.0" in listed, listed
    assert "shop@3.0.0" in client.run("releases", "info", "shop@3.0.0")
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "First"], check=True)
        here = os.getcwd()
        os.chdir(folder)
        try:
            client.run("releases", "set-commits", "shop@3.0.0", "--local")
        finally:
            os.chdir(here)
    client.run("releases", "delete", "shop@3.0.0")
    assert "shop@3.0.0" not in client.run("releases", "list", "--raw")
    client.run("releases", "new", "shop@4.0.0", fails=True, role="read")


def sources(client):
    """A bundle of sources is accepted. It is made from a program whose sources are there."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "probe.c"), pathlib.Path(folder, "probe")
        source.write_text("int price(int amount) { return amount * 3; }\nint main(void) { return price(4); }\n")
        subprocess.run(["clang", "-g", "-Wl,--build-id", "-o", program, source], check=True, capture_output=True)
        said = client.run("debug-files", "upload", "--include-sources", "--wait", program)
    assert "Resolved source code for 1" in said and "ERROR" not in said, said
    assert "elf" in {file["format"] for file in client.daemon.ask("GET", "/v1/symbols?limit=100", "read")["items"]}


def damaged(client):
    """A damaged map is left out of its bundle, whose other map is stored. sentry-cli itself checks what it rewrites only."""
    with tempfile.TemporaryDirectory() as folder:
        for name, mappings in (("bad", "!"), ("good", "AAAA")):
            script = pathlib.Path(folder, f"{name}.min.js")
            script.write_text(f"function a(){{throw 1}}a()\n//# sourceMappingURL={name}.min.js.map\n")
            pathlib.Path(f"{script}.map").write_text(json.dumps({"version": 3, "sources": ["a"], "names": [], "mappings": mappings}))
        client.run("sourcemaps", "upload", "--no-rewrite", "--release", "shop@5.0.0", "--wait", folder)
    urls = {file.get("url") for file in client.daemon.ask("GET", "/v1/symbols?limit=100", "read")["items"]}
    assert "~/good.min.js" in urls and "~/bad.min.js" not in urls, urls


def main(program, cli):
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder)
        try:
            client = Client(daemon, cli)
            scripts = lambda frames: [frame.get("function") for frame in frames] == FUNCTIONS and frames[-1]["filename"] == "src/stock.js"
            methods = lambda frames: [f"{frame['module'].split('.')[-1]}.{frame['function']}" for frame in frames] == METHODS
            print(f"source maps: {check(daemon, 'browser', browser(daemon, client), scripts)} events of a browser are one issue, by debug ID")
            print(f"source maps: {check(daemon, 'node', node(daemon, client), scripts)} events of Node are one issue, by release and URL")
            print(f"source maps: {check(daemon, 'android', android(daemon, client), methods)} events of Android are one issue")
            releases(client)
            print("source maps: sentry-cli announces, finalizes, lists and deletes a release")
            sources(client)
            print("source maps: sentry-cli uploads sources")
            damaged(client)
            print("source maps: a damaged map is left out of its bundle")
        finally:
            daemon.end()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
