# SPDX-License-Identifier: Apache-2.0

"""Sends with a real browser from pages of another origin: browser.py INGESTD [DIR [STEP…]].

A page of ours sends as the products' clients do. With DIR, browser builds of those clients that are in the folder send too. Parts of names
of steps select some of them.
"""

import collections
import functools
import http.server
import json
import pathlib
import signal
import sys
import threading
import traceback

import browser_clients
import browser_files
import browser_functions
from chromium import Chromium
from daemon import Daemon, same, until
from sink import Sink

PAGES = pathlib.Path(__file__).parent / "pages"
GUIDE = pathlib.Path(__file__).parents[2] / "docs/guides/documents.md"
ROOM = """
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /messages/{id} { allow read: if resource.data.room == "a"; }
  }
}
"""


class Site(http.server.ThreadingHTTPServer):
    """Serves our pages and the bundles, under names of this machine that are other sites than the daemon's address."""

    def __init__(self, bundles):
        self.folders = {"/pages/": PAGES, "/bundles/": bundles}
        super().__init__(("127.0.0.1", 0), _Files)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def origin(self, host="localhost"):
        return f"http://{host}:{self.server_address[1]}"


class _Files(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.split("?")[0]
        for prefix, folder in self.server.folders.items():
            found = folder / path.removeprefix(prefix) if folder and path.startswith(prefix) else None
            if found and found.is_file() and found.resolve().is_relative_to(folder.resolve()):
                body, kind = found.read_bytes(), "text/javascript" if path.endswith("js") else "text/html"
                self.send_response(200)
                self.send_header("Content-Type", kind + "; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                return self.wfile.write(body)
        self.send_error(404)

    def log_message(self, *_):
        pass


def stored(app):
    """The number of stored events by name."""
    status, lines = app.daemon.ask("GET", "/v1/export?from=-1d", app.keys["read"])
    assert status == 200, lines
    return collections.Counter(json.loads(line)["name"] for line in lines.splitlines() if b'"name"' in line)


def issues(app):
    return {issue["title"]: issue["count"] for issue in app.get("/v1/issues", limit=200)["items"]}


def address(site, page, app, host="localhost", **more):
    query = {"daemon": app.daemon.url, "key": app.keys["ingest"], "app": app.id, **more}
    return f"{site.origin(host)}/pages/{page}.html?" + "&".join(f"{name}={value}" for name, value in query.items())


def every_way(browser, site, app):
    """Each way of a page stores one event, in each credentials mode."""
    page = browser.page()
    page.open(address(site, "requests", app))
    learned = page.run("everything()")
    wrong = {name: sent for name, sent in learned.items() if sent[2] not in (200, 204, True, None)}
    assert not wrong, f"not accepted: {wrong}\n{page.trouble(app.daemon.url)}"
    sent = {name: way for name, way in learned.items() if way[2] is not None}
    events = {name for name, (_, client, _) in sent.items() if client != "sentry"}
    until(lambda: len(stored(app)) >= len(events), lambda: f"missing: {[sent[name] for name in events - stored(app).keys()]}", seconds=20)
    same(stored(app), {name: 1 for name in events}, "events")
    errors = {name for name, (_, client, _) in sent.items() if client == "sentry"}
    until(lambda: len(issues(app)) >= len(errors), "errors of all ways")
    same(sorted(issues(app).values()), [1] * len(errors), "errors")
    page.close()
    return len(sent)


def readable(browser, site, app):
    """A page reads the answers to ingest keys and nothing else."""
    page = browser.page()
    page.open(address(site, "requests", app))

    def ask(path, key, body=None, more=""):
        method = "GET" if body is None else "POST"
        fields = f"headers: bearer({json.dumps(key)}), credentials: 'include'"
        return page.run(f"answer({json.dumps(path)}, {{method: '{method}', {fields}{f', body: {body}' if body else ''}{more}}})")

    found = ask("/v1/events", "nonsense", "'[]'")
    same((found["status"], found["code"], len(found["request"])), (401, "unauthorized", 16), "unknown key")
    for role in ("read", "send", "admin"):
        found = ask("/v1/events", app.keys[role], "'[]'")
        same((found["status"], found["code"]), (403, "cross_origin"), f"{role} key")
        same(ask("/v1/app", app.keys[role])["code"], "cross_origin", f"{role} key")
        same(ask("/v1/export", app.keys["read"])["status"], 0, "export")
    same(ask("/v1/app", app.keys["ingest"])["status"], 200, "app")
    same(ask("/v1/events", app.keys["ingest"], "' '.repeat(6e6)")["status"], 413, "large body")
    app.limit(1)
    found = [ask("/v1/events", app.keys["ingest"], """'[{"name": "a"}]'""") for _ in range(2)][1]
    assert found["status"] == 429 and int(found["retry"]) > 0, found
    envelope = "'{}\\n{\"type\":\"event\"}\\n{\"message\":\"m\"}\\n'"
    path = f"/api/{app.id}/envelope/?sentry_key={app.keys['ingest']}"
    results = [page.run(f"answer('{path}', {{method: 'POST', body: {envelope}}})") for _ in range(2)]
    assert results[1]["status"] == 429 and results[1]["limits"], results
    app.limit(0)
    page.close()


def streams(browser, site, app):
    """An event source reads messages, and continues after the daemon was away."""
    page = browser.page()
    page.open(address(site, "requests", app))
    device = page.run(
        "answer('/v1/devices?key=' + asked.key, {method: 'POST', body: json({platform: 'web', endpoint: {type: 'stream'}})}).then(a => JSON.parse(a.text))")
    token = device["token"]

    def publish(number):
        status, text = app.daemon.ask("POST", "/v1/messages", app.keys["send"], {"token": token, "data": {"n": str(number)}})
        assert status == 200, text

    publish(1)
    assert page.run(f"listen('{token}')")
    until(lambda: len(page.run("messages")) == 1, "the waiting message")
    publish(2)
    until(lambda: len(page.run("messages")) == 2, "the new message")
    app.daemon.stop(signal.SIGTERM)
    app.daemon.start()
    publish(3)
    until(lambda: len(page.run("messages")) >= 3, "the message after a restart")
    same([number for _, number in page.run("messages")], ["1", "2", "3"], "messages")
    page.close()


def listens(browser, site, app):
    """The page of the guide shows documents, continues after the daemon was away, and shows none once rules deny them."""
    lines = GUIDE.read_text().splitlines()
    first, last = lines.index("    <!doctype html>"), lines.index("    </script>")
    text = "\n".join(line[4:] for line in lines[first:last + 1])
    for example, real in (("https://signalbox.example.com", app.daemon.url), ("sb_ingest_…", app.keys["ingest"])):
        assert text.count(example) == 1, f"the guide names {example} {text.count(example)} times"
        text = text.replace(example, real)

    def ask(method, path, body=None):
        status, answer = app.daemon.ask(method, path, app.keys["admin"], body)
        assert status in (200, 204), answer

    def shows(*wanted):
        rows = "[...document.querySelectorAll('li')].map(row => row.textContent)"
        until(lambda: sorted(page.run(rows)) == list(wanted), lambda: f"{page.run(rows)} instead of {wanted}\n{page.trouble(app.daemon.url)}", seconds=40)

    ask("PUT", "/v1/documents:rules", {"source": ROOM})
    ask("PUT", "/v1/documents/messages/m1", {"fields": {"room": "a", "text": "one"}})
    page = browser.page()
    page.open(address(site, "requests", app))
    page.run(f"document.open(), document.write({json.dumps(text)}), document.close()")
    shows("one")
    ask("PUT", "/v1/documents/messages/m2", {"fields": {"room": "a", "text": "two €"}})
    shows("one", "two €")
    app.daemon.stop(signal.SIGTERM)
    app.daemon.start()
    ask("DELETE", "/v1/documents/messages/m1")
    shows("two €")
    ask("PUT", "/v1/documents:rules", {"source": ROOM.replace('"a"', '"b"')})
    shows()
    page.close()


def leaves(browser, site, app):
    """Beacons of a page that is left arrive."""
    page = browser.page()
    page.open(address(site, "requests", app))
    page.run("leave('left')")
    page.open("about:blank")
    until(lambda: len(stored(app)) == 2, "beacons at unload")
    same(stored(app), {"left_query": 1, "left_segment": 1}, "beacons")
    page.close()


def listed(browser, site, program):
    """With a list, only pages of its origins store anything."""
    rules = [f"http://localhost:{site.server_address[1]}", f"http://*.shop.localhost:{site.server_address[1]}"]
    daemon = Daemon(program, INGESTD_SERVER_CORS_ORIGINS=json.dumps(rules))
    try:
        app = daemon.app("listed")
        for host, allowed in [("localhost", True), ("eu.shop.localhost", True), ("shop.localhost", False), ("127.0.0.1", False)]:
            page = browser.page()
            page.open(address(site, "requests", app, host=host))
            before = sum(stored(app).values())
            learned = page.run("everything()")
            read = [result for way, _, result in learned.values() if not way.startswith("beacon")]
            assert all((result in (200, 204)) == allowed for result in read), f"{host}: {learned}"
            if allowed:
                until(lambda: sum(stored(app).values()) > before, host)
            else:
                # A beacon has no response. This request comes after them.
                page.run("answer('/v1/app')")
                same(sum(stored(app).values()), before, f"events from {host}")
            page.close()
    finally:
        daemon.stop(signal.SIGTERM)


def all_steps(browser, site, daemon, program, bundles, sink):
    steps = {step.__name__: functools.partial(lambda step: step(browser, site, daemon.app(step.__name__)), step)
             for step in (every_way, readable, streams, listens, leaves)}
    steps["listed"] = functools.partial(listed, browser, site, program)
    return steps | (browser_clients.steps(browser, site, daemon, pathlib.Path(bundles), sink) if bundles else {})


def main(program, bundles=None, *only):
    site, failed = Site(pathlib.Path(bundles) if bundles else None), []
    sink = Sink()
    daemon = Daemon(program, **browser_files.SETTINGS, **browser_functions.SETTINGS, **sink.settings)
    try:
        with Chromium() as browser:
            for name, step in all_steps(browser, site, daemon, program, bundles, sink).items():
                if only and not any(part in name for part in only):
                    continue
                try:
                    step()
                    print(f"browser: {name}: fine", flush=True)
                except Exception as error:
                    failed.append(name)
                    print(f"browser: {name}: FAILED: {error if isinstance(error, AssertionError) else traceback.format_exc()}", flush=True)
    finally:
        daemon.stop(signal.SIGTERM)
    assert not failed, f"failed: {', '.join(failed)}"


if __name__ == "__main__":
    main(*sys.argv[1:])
