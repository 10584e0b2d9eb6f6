# SPDX-License-Identifier: Apache-2.0

"""Connections to servers of the Firestore API. Two servers work on a request at the same time."""

import http.client
import json
import os
import time

END = time.monotonic() + float(os.environ.get("SIGNALBOX_DIFFERENTIAL_SECONDS", "inf"))


def has_time():
    """Whether a run may go on: SIGNALBOX_DIFFERENTIAL_SECONDS ends it early."""
    return time.monotonic() < END


class Server:
    """One connection. `query` is added to the path of each request."""

    def __init__(self, port, query=None):
        self.connection, self.query = http.client.HTTPConnection("127.0.0.1", port, timeout=60), query

    def ask(self, method, path, text, key):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        if self.query:
            path += ("&" if "?" in path else "?") + self.query
        self.connection.request(method, path, None if text is None else text.encode(), headers)

    def answer(self):
        response = self.connection.getresponse()
        body = response.read()
        try:
            return response.status, json.loads(body) if body else None
        except ValueError:
            return response.status, body.decode(errors="replace")


def both(ours, theirs, method, path, body=None, keys=(None, "owner")):
    """The answers of two servers to one request, for which each has its own key."""
    text = None if body is None else json.dumps(body)
    for server, key in zip((ours, theirs), keys):
        server.ask(method, path, text, key)
    return ours.answer(), theirs.answer()
