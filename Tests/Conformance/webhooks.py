# SPDX-License-Identifier: Apache-2.0

"""Verifies signatures of webhooks with an independent library: webhooks.py PORT KEYS, with KEYS the key file of an app."""

import http.client
import http.server
import json
import queue
import sys
import threading

from standardwebhooks import Webhook, WebhookVerificationError


class Receiver(http.server.BaseHTTPRequestHandler):
    """Receives every delivery and verifies it."""

    protocol_version = "HTTP/1.1"
    deliveries = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Receiver.deliveries.put(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def call(port, method, path, key, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body=json.dumps(body or {}), headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
    answer = connection.getresponse()
    data = answer.read()
    assert answer.status in (200, 201), f"{method} {path}: {answer.status} {data[:300]!r}"
    return json.loads(data)


def deliver(port, key, token, text):
    call(port, "POST", "/v1/messages", key, {"token": token, "notification": {"title": text}, "data": {"text": text}})
    return Receiver.deliveries.get(timeout=30)


def main(port, keys):
    key = json.load(open(keys))["keys"]["send"]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/hook?of=judge"
    made = call(port, "POST", "/v1/devices", key, {"platform": "server", "endpoint": {"type": "webhook", "url": url}})
    old, judged = made["secret"], 0
    for text in ["plain", "ünïcode \U0001f600", 'quotes " and \\ and \n lines', "x" * 1_900]:
        headers, body = deliver(port, key, made["token"], text)
        payload = Webhook(old).verify(body, headers)
        assert payload["type"] == "message" and payload["data"]["data"]["text"] == text, payload
        judged += 1
    new = call(port, "POST", f"/v1/devices/{made['token']}/rotate-secret", key)["secret"]
    headers, body = deliver(port, key, made["token"], "rotated")
    for secret in (old, new):
        Webhook(secret).verify(body, headers)
        judged += 1
    try:
        Webhook(new).verify(body + b" ", headers)
    except WebhookVerificationError:
        print(f"webhooks: {judged} signatures verified, a changed body refused")
    else:
        sys.exit("webhooks: a changed body passed")


main(int(sys.argv[1]), sys.argv[2])
