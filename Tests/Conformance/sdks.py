# SPDX-License-Identifier: Apache-2.0

"""Sends with Sentry's SDKs of other languages and compares each field with what the API returns: sdks.py DAEMON PAGE FOLDER [--write].

FOLDER has the sources of the SDKs as their projects publish them, each under its name: `sentry-go`, `sentry-java`, `sentry-native`,
`sentry-php`, `sentry-ruby`, `sentry-javascript` (a version 7). An SDK that is not there, or whose language is not installed, is skipped. The
programs in `sdks` do the same with each: a message, a caught error with a cause, an error that nothing catches, an attachment, a session.

PAGE is docs/reference/sdk-fields.md, whose last section must state what was found. With --write its rows are renewed.
"""

import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from fields import Fields, Recorder, Stored, counted, envelope_items, export, sdk_sections
from sentry import Daemon, until

PROGRAMS = pathlib.Path(__file__).parent / "sdks"
LIMIT = 300


def run(command, environment=None, succeeds=True):
    done = subprocess.run(
        [str(part) for part in command], env={**os.environ, **(environment or {})}, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0 or not succeeds, f"{command[0]} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


# MARK: SDKs


def go(sources, work):
    place = work / "src/github.com/getsentry"
    place.mkdir(parents=True)
    (place / "sentry-go").symlink_to(sources)
    # Its two modules are those of Debian.
    paths = {"GO111MODULE": "off", "GOPATH": f"{work}:/usr/share/gocode", "GOCACHE": f"{work}/cache", "GOFLAGS": ""}
    run(["go", "build", "-o", work / "shop", PROGRAMS / "shop.go"], paths)
    return [[work / "shop"]]


def php(sources, work):
    return [["php", PROGRAMS / "shop.php", sources]]


def ruby(sources, work):
    return [["ruby", "-I", sources / "sentry-ruby/lib", PROGRAMS / "shop.rb"]]


def java(sources, work):
    # The build generates this class; the annotations are for the compiler only.
    version = re.search(r"versionName=(\S+)", (sources / "gradle.properties").read_text())[1]
    texts = {
        "io/sentry/BuildConfig": f'public final class BuildConfig {{ static final String SENTRY_JAVA_SDK_NAME = "sentry.java", VERSION_NAME = "{version}"; }}',
        "com/jakewharton/nopen/annotation/Open": "public @interface Open {}",
    }
    made = []
    for name, text in texts.items():
        made.append(work / f"{name}.java")
        made[-1].parent.mkdir(parents=True)
        made[-1].write_text(f"package {name.rsplit('/', 1)[0].replace('/', '.')};\n{text}\n")
    annotations = [f"/usr/share/java/org.jetbrains.annotations-{part}.jar" for part in ("java8", "common")]
    files = sorted((sources / "sentry/src/main/java").rglob("*.java")) + made + [PROGRAMS / "Shop.java"]
    run(["javac", "-nowarn", "-proc:none", "-cp", ":".join(annotations), "-d", work / "classes", *files])
    return [["java", "-cp", work / "classes", "Shop", work / "stored"]]


def native(sources, work):
    run(["cmake", "-S", sources, "-B", work, "-G", "Ninja", "-DSENTRY_BACKEND=native", "-DSENTRY_BUILD_TESTS=OFF", "-DSENTRY_BUILD_EXAMPLES=OFF"])
    run(["ninja", "-C", work, "-j", "1"])
    program = work / "shop"
    run(["cc", "-g", "-fno-omit-frame-pointer", f"-I{sources}/include", "-o", program, PROGRAMS / "shop.c", f"-L{work}", "-lsentry",
         f"-Wl,-rpath,{work}"])
    (work / "stored").mkdir()
    start = [program, work / "stored", work / "sentry-crash"]
    return [start, [*start, "crash"]]


def javascript(sources, work):
    packages = {f"@sentry/{name}": name for name in ("node", "core", "types", "utils", "integrations")} | {"@sentry-internal/tracing": "tracing-internal"}
    aliases = [f"--alias:{name}={sources}/packages/{folder}/src/index.ts" for name, folder in packages.items()]
    loader = 'import { createRequire } from "module"; const require = createRequire(import.meta.url);'
    run(["esbuild", PROGRAMS / "shop.mjs", "--bundle", "--platform=node", "--format=esm", f"--outfile={work}/shop.mjs", "--log-level=error",
         "--define:__DEBUG_BUILD__=false", "--external:localforage", f"--banner:js={loader}", *aliases])
    return [["node", work / "shop.mjs"]]


# A function that returns the commands, the programs that these need, and the number of faults.
SDKS = {
    "sentry-go": (go, ("go",), 3),
    "sentry-java": (java, ("java", "javac"), 3),
    "sentry-javascript": (javascript, ("node", "esbuild"), 2),
    "sentry-native": (native, ("cmake", "ninja", "cc"), 3),
    "sentry-php": (php, ("php",), 3),
    "sentry-ruby": (ruby, ("ruby",), 2),
}


# MARK: Comparing


def dashed(text):
    plain = text.replace("-", "")
    return "-".join(plain[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))


def stored_event(daemon, identifier):
    for issue in daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]:
        for event in daemon.ask("GET", f"/v1/issues/{issue['id']}/events?limit=100", "read")["items"]:
            if event["id"] == dashed(identifier):
                found = daemon.ask("GET", f"/v1/issues/{issue['id']}/events/{event['id']}", "read")
                return found if "Minidump that was not read yet" not in json.dumps(found["report"].get("exceptions", [])) else None
    return None


def compare(daemon, bodies):
    """Returns the fields of each kind of item that was sent, the version of the SDK, and the issues."""
    fields, version, issues = {}, "", set()
    counts = [json.loads(payload) for body in bodies for item, payload in envelope_items(body) if item["type"] == "sessions"]
    for body in bodies:
        header = json.loads(body[: body.find(b"\n")])
        for item, payload in envelope_items(body):
            kind, event = item["type"], header.get("event_id")
            if kind == "event":
                sent = json.loads(payload)
                version, event = sent["sdk"]["version"], event or sent["event_id"]
                stored = until(lambda: stored_event(daemon, event))
                issues.add(stored["issue"])
            elif kind == "session":
                sent = json.loads(payload)
                stored = [one for one in until(lambda: export(daemon)) if one.get("session_id", "").replace("-", "") == sent["sid"].replace("-", "")]
            elif kind == "sessions":
                sent = json.loads(payload)
                stored = counted(daemon, counts)
            elif kind == "attachment" and item.get("attachment_type") == "event.minidump":
                sent = {"threads": "read", "modules": "read", "exception": "read"}
                report = until(lambda: stored_event(daemon, event))["report"]
                stored = {"threads": "read" if report["threads"] else 0, "modules": "read" if report["images"] else 0,
                          "exception": "read" if report["exceptions"][-1]["type"].startswith("SIGSEGV") else 0}
                kind = "minidump"
            elif kind == "attachment":
                sent = {name: value for name, value in item.items() if name not in ("type", "length")} | {"content": payload.decode()}
                listed = until(lambda: stored_event(daemon, event)).get("attachments", [])
                stored = [{**one, "content": content(daemon, one)} for one in listed if one["name"] == item["filename"]]
            else:
                continue
            fields.setdefault(kind, Fields()).compare(sent, Stored(*stored) if isinstance(stored, list) else Stored(stored))
    return fields, version, issues


def content(daemon, attachment):
    connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)
    connection.request("GET", f"/v1/attachments/{attachment['id']}", headers={"Authorization": f"Bearer {daemon.keys['read']}"})
    return connection.getresponse().read().decode()


def rows(program, name, sources):
    """Returns the rows of an SDK and its version."""
    prepare, _, faults = SDKS[name]
    Recorder.bodies = []
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as work:
        daemon = Daemon(program, data)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        Recorder.target = daemon.port
        try:
            # Later runs must reach the same issues.
            for command in 2 * prepare(sources, pathlib.Path(work)):
                run(command, {"SENTRY_DSN": daemon.dsn.replace(f":{daemon.port}/", f":{server.server_port}/")}, succeeds=False)
            quiet(Recorder.bodies)
            fields, version, issues = compare(daemon, [body for path, body in Recorder.bodies if "/envelope" in path])
            titles = {issue["id"]: (issue["title"], issue.get("culprit")) for issue in daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]}
        finally:
            server.shutdown()
            daemon.end()
    kinds = {"event": "events", "session": "`session` items", "sessions": "`sessions` items", "attachment": "attachments", "minidump": "minidumps"}
    assert len(issues) == faults, f"{name}: {len(issues)} issues of {faults} faults: {sorted(titles.values())}"
    return [fields[kind].row(f"{name} {title}") for kind, title in kinds.items() if kind in fields], version


def quiet(bodies):
    """Waits until nothing more is sent. Programs that crashed leave the upload to another process."""
    count = -1
    while count != len(bodies):
        count = len(bodies)
        time.sleep(1)


def main(program, page, folder, *options):
    path, skipped, wrong = pathlib.Path(page), [], []
    versions, known = sdk_sections(path.read_text())
    for name, (_, needs, _) in SDKS.items():
        sources = pathlib.Path(folder, name).resolve()
        lacks = [command for command in needs if not shutil.which(command)]
        if not sources.is_dir() or lacks:
            skipped.append(f"{name} (no {sources if not sources.is_dir() else ', '.join(lacks)})")
            continue
        found, version = rows(program, name, sources)
        print(f"sdks: {name} {version}: {len(found)} kinds of items, the same issues in two runs")
        if versions.get(name, version) != version:
            print(f"sdks: {page} is of {name} {versions[name]}")
        stated = [row for row in known if row.startswith(f"| {name} ")]
        for row in set(found) ^ set(stated):
            wrong.append(f"{'+' if row in found else '-'} {row}")
        versions[name], known = version, [row for row in known if row not in stated] + found
    if "--write" in options:
        path.write_text(sdk_sections(path.read_text(), versions, sorted(known)))
        wrong = []
    for line in wrong:
        print(f"sdks: {line}")
    for line in skipped:
        print(f"sdks: skipped {line}")
    assert not wrong, f"{page} is out of date; renew it with --write"
    assert len(skipped) < len(SDKS), f"{folder} has no SDK"


if __name__ == "__main__":
    main(*sys.argv[1:])
