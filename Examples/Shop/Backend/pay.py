#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The function `pay`: charges an order, marks it as paid and returns a receipt.

SIGNALBOX_URL is the daemon; SECRET_FILE has the function's secret. It prints its address and serves until it is killed.
The script of the example starts it; in production it would be any HTTP service, or a worker of the daemon.
"""
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Refusal(Exception):
    """An error that the app gets with its word and message."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def verify(headers, body):
    """Checks the signature of Standard Webhooks, so that nobody but the daemon calls."""
    with open(os.environ["SECRET_FILE"], encoding="ascii") as file:
        secret = base64.b64decode(file.read().strip().removeprefix("whsec_"))
    if abs(time.time() - int(headers["webhook-timestamp"] or 0)) > 300:
        raise Refusal("UNAUTHENTICATED", "The request is too old.")
    signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.'.encode() + body
    expected = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(expected, given) for given in (headers["webhook-signature"] or "").split()):
        raise Refusal("UNAUTHENTICATED", "The signature is wrong.")


def request(method, path, token, body=None, version=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if version:
        headers["If-Match"] = f'"{version}"'
    data = json.dumps(body).encode() if body is not None else None
    asked = urllib.request.Request(os.environ["SIGNALBOX_URL"] + path, data, headers, method=method)
    with urllib.request.urlopen(asked, timeout=10) as response:
        return json.load(response)


def document(path, token):
    try:
        return request("GET", f"/v1/documents/{path}", token)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            raise Refusal("NOT_FOUND", f"There is no {path}.") from error
        raise


def pay(call, token):
    """Charges once: an order that is paid gets the same receipt again."""
    data, user = call["data"], call["context"]["auth"]["uid"]
    if not isinstance(data.get("order"), str) or "/" in data["order"]:
        raise Refusal("INVALID_ARGUMENT", "The order is missing.")
    order = document(f'orders/{data["order"]}', token)
    fields = order["fields"]
    if fields["owner"] != user:
        raise Refusal("NOT_FOUND", f'There is no orders/{data["order"]}.')
    product = document(f'products/{fields["product"]}', token)["fields"]
    total = product["price_cents"] * fields["quantity"]
    if fields["state"] == "new":
        # The bank of this example declines a single card.
        if data.get("card") == "4000":
            raise Refusal("FAILED_PRECONDITION", "The card was declined.")
        paid = {"state": "paid", "total_cents": total, "paid": {"$now": True}}
        request("PATCH", f'/v1/documents/orders/{data["order"]}', token, {"fields": paid}, order["version"])
    return {
        "order": data["order"],
        "product": fields["product"],
        "quantity": fields["quantity"],
        "total_cents": fields.get("total_cents", total),
        "currency": product["currency"],
    }


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        try:
            verify(self.headers, body)
            self.answer(200, {"result": pay(json.loads(body), self.headers["Signalbox-Token"])})
        except Refusal as refusal:
            self.answer(400, {"error": {"status": refusal.status, "message": str(refusal)}})
        except Exception as error:  # The app learns only that it failed; the function's log has the reason.
            self.log_error("%s", repr(error))
            self.answer(500, {"error": {"status": "INTERNAL", "message": "The payment failed."}})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/pay", flush=True)
server.serve_forever()
