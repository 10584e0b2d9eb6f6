# SPDX-License-Identifier: Apache-2.0

"""Drives Debian's Chromium over its debugging pipe, so that no client library is needed."""

import fcntl
import itertools
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading

# Services that a browser calls by itself are off; tests see only what pages send.
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
    "--disable-features=Translate,OptimizationHints,MediaRouter", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
]
SECONDS = 60


class Chromium:
    """A browser with a profile of its own. Commands are answered in order of their numbers; events go to the page that they are of."""

    def __init__(self, program="chromium"):
        path = shutil.which(program)
        assert path, f"{program} is not installed"
        self.profile = tempfile.mkdtemp(prefix="signalbox-chromium-")
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        # The browser reads commands from descriptor 3 and writes to 4, which may be other ends here.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (from_us, to_us)]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "bash", path, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=ends)
        for end in (from_us, to_us, *ends):
            os.close(end)
        self.writer, self.reader = os.fdopen(to_browser, "wb", buffering=0), os.fdopen(from_browser, "rb")
        self.numbers, self.answers, self.pages, self.lock = itertools.count(1), {}, {}, threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, parameters=None, session=None):
        """Sends a command and returns its result."""
        number, answer = next(self.numbers), queue.Queue(1)
        with self.lock:
            self.answers[number] = answer
            message = {"id": number, "method": method, "params": parameters or {}} | ({"sessionId": session} if session else {})
            self.writer.write(json.dumps(message).encode() + b"\0")
        try:
            found = answer.get(timeout=SECONDS)
        except queue.Empty:
            raise AssertionError(f"{method}: no answer of the browser in {SECONDS} s") from None
        assert "error" not in found, f"{method}: {found['error']}"
        return found["result"]

    def page(self, beside=None):
        """Opens a page in a context without cookies or storage of other pages, or in that of another one."""
        context = beside.context if beside else self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", {"url": "about:blank", "browserContextId": context})["targetId"]
        return Page(self, self.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"], target, context)

    def _read(self):
        rest = b""
        while chunk := self.reader.read1(1 << 16):
            *whole, rest = (rest + chunk).split(b"\0")
            for text in whole:
                self._take(json.loads(text))

    def _take(self, message):
        if answer := self.answers.pop(message.get("id"), None):
            answer.put(message)
        elif page := self.pages.get(message.get("sessionId")):
            page.take(message["method"], message["params"])


class Page:
    """A page of the browser: its requests, errors and console, and its network."""

    def __init__(self, browser, session, target, context):
        self.browser, self.session, self.target, self.context = browser, session, target, context
        self.requests, self.failures, self.statuses, self.console, self.loaded = {}, {}, {}, [], threading.Event()
        browser.pages[session] = self
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method, **parameters):
        return self.browser.send(method, parameters, self.session)

    def take(self, method, event):
        if method == "Network.requestWillBeSent":
            self.requests[event["requestId"]] = event["request"] | {"type": event.get("type")}
        elif method == "Network.responseReceived":
            self.statuses[event["requestId"]] = event["response"]["status"]
        elif method == "Network.loadingFailed":
            self.failures[event["requestId"]] = event.get("blockedReason") or event.get("corsErrorStatus", {}).get("corsError") or event["errorText"]
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.console.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(event["type"] + ": " + " ".join(str(a.get("value", a.get("description"))) for a in event["args"]))
        elif method == "Log.entryAdded":
            self.console.append(event["entry"]["level"] + ": " + event["entry"]["text"] + " " + event["entry"].get("url", ""))
        elif method == "Page.loadEventFired":
            self.loaded.set()

    def open(self, url):
        self.loaded.clear()
        assert "errorText" not in (found := self.send("Page.navigate", url=url)), f"{url}: {found}"
        assert self.loaded.wait(SECONDS), f"{url} does not load"

    def reload(self):
        self.loaded.clear()
        self.send("Page.reload")
        assert self.loaded.wait(SECONDS), "the page does not load again"

    def run(self, script):
        """Returns the value of an expression, after the promise that it may be."""
        found = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        assert "exceptionDetails" not in found, f"{script[:200]}: {found['exceptionDetails'].get('exception', {}).get('description')}"
        return found["result"].get("value")

    def click(self, selector):
        place = self.run(f"(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('{selector}').getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def go_offline(self, offline):
        self.send("Network.emulateNetworkConditions", offline=offline, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def close(self):
        self.browser.send("Target.closeTarget", {"targetId": self.target})

    def rejected(self, origin):
        """The requests to an origin whose response has the status of an error."""
        return [(r["method"], r["url"], self.statuses[i]) for i, r in list(self.requests.items())
                if r["url"].startswith(origin) and self.statuses.get(i, 200) >= 400]

    def trouble(self, origin):
        """The requests to an origin that failed or were answered with an error, and what the console says; for messages."""
        lines = [f"{r['method']} {r['url'][:150]} {self.statuses.get(i, '')} {self.failures.get(i, '')}" for i, r in list(self.requests.items())
                 if r["url"].startswith(origin) and (i in self.failures or self.statuses.get(i, 200) >= 400)]
        return "\n".join(dict.fromkeys(lines + self.console))
