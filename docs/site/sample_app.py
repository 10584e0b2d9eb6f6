#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills an app with documents, files and functions for pictures of the dashboard: sample_app.py URL ADMIN_KEY INGEST_KEY

It goes on until it is ended, as a function without its target would be broken. `filled` on standard output says that all is there.
"""
import http.server
import json
import random
import sys
import threading
import time
import urllib.error
import urllib.request

URL, ADMIN, INGEST = sys.argv[1:]
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /products/{id} { allow read: if true; }
    match /users/{uid}/{rest=**} { allow read, write: if request.auth.uid == uid; }
    match /orders/{id} {
      allow read: if resource.data.user == request.auth.uid;
      allow create: if request.resource.data.user == request.auth.uid && request.resource.data.total > 0;
    }
  }
}
"""
STORAGE_RULES = """rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /products/{name} { allow read: if true; }
    match /users/{uid}/{name} { allow read, write: if request.auth.uid == uid && request.resource.size < 5 * 1024 * 1024; }
  }
}
"""


def ask(method, path, body=None, key=ADMIN, kind="application/json"):
    """Returns the answer of the daemon. What it refuses is part of the pictures."""
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": kind}
    try:
        with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers, method=method)) as response:
            answer = response.read()
            return json.loads(answer) if response.headers["Content-Type"] == "application/json" else None
    except urllib.error.HTTPError as error:
        error.read()
        return None


class Target(http.server.BaseHTTPRequestHandler):
    """The address of the functions. One call in ten fails."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(random.expovariate(100))
        fails = random.random() < 0.1
        body = b'{"error": {"status": "UNAVAILABLE", "message": "the shop is closed"}}' if fails else b'{"result": null}'
        self.send_response(503 if fails else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def commit(writes):
    ask("POST", "/v1/documents:commit", {"writes": writes})


def documents(users):
    ask("PUT", "/v1/documents:indexes", {"indexes": [{"collectionGroup": "orders", "queryScope": "COLLECTION", "fields": [
        {"fieldPath": "user", "order": "ASCENDING"}, {"fieldPath": "at", "order": "DESCENDING"}]}]})
    ask("PUT", "/v1/documents:rules", {"source": RULES})
    commit([{"set": f"products/p{n}", "fields": {"price": random.randrange(500, 9000), "stock": n % 20}} for n in range(300)])
    for start in range(0, 6000, 500):
        commit([{"set": f"orders/o{n}", "fields": {"user": f"u{n % 900}", "total": n % 400, "at": n, "state": "paid" if n % 7 else "sent"}}
                for n in range(start, start + 500)])
    for user, token in users:
        ask("PUT", f"/v1/documents/users/{user}", {"fields": {"name": user, "theme": "dark"}}, token)
        for n in range(5):
            ask("PUT", f"/v1/documents/users/{user}/carts/c{n}", {"fields": {"product": f"p{n}"}}, token)
        ask("PUT", f"/v1/documents/orders/of-{user}", {"fields": {"user": user, "total": 40}}, token)
        ask("PUT", f"/v1/documents/orders/free-{user}", {"fields": {"user": user, "total": 0}}, token)
        ask("GET", "/v1/documents/products/p1", key=INGEST)
        ask("GET", "/v1/documents/orders/o1", key=INGEST)
        ask("GET", "/v1/documents/settings/shop", key=token)
    for _ in range(4):
        ask("POST", "/v1/documents:query", {"from": "orders", "where": ["total", "==", 399], "limit": 20})
        ask("POST", "/v1/documents:query", {"from": "orders", "where": ["user", "==", "u7"], "order": [["at", "desc"]], "limit": 20})
    ask("POST", "/v1/documents:query", {"from": "products", "where": ["price", ">", 8900], "limit": 5})


def listen(user, token):
    """Holds a stream with two targets until the program ends."""
    targets = [{"target": 1, "query": {"from": "orders", "where": ["user", "==", user]}}, {"target": 2, "document": f"users/{user}"}]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(URL + "/v1/documents:listen", json.dumps({"targets": targets}).encode(), headers)
    with urllib.request.urlopen(request) as response:
        while response.readline():
            pass


def files(users):
    ask("PUT", "/v1/files-rules", {"source": STORAGE_RULES})
    for n in range(40):
        ask("PUT", f"/v1/files/default/products/p{n}.jpg", random.randbytes(30_000 + 2_000 * n), kind="image/jpeg")
    for user, token in users:
        for n in range(random.randrange(2, 9)):
            ask("PUT", f"/v1/files/default/users/{user}/{n}.jpg", random.randbytes(150_000 + 40_000 * n), token, "image/jpeg")
        ask("PUT", f"/v1/files/default/users/other/{user}.jpg", b"x", token, "image/jpeg")
        ask("GET", "/v1/files/default/invoices/2026.pdf", key=token)


def functions(users, port):
    target = f"http://127.0.0.1:{port}"
    ask("PUT", "/v1/functions/quote", {"url": target, "auth": "user"})
    ask("PUT", "/v1/functions/receipt", {"url": target, "triggers": [{"on": "document", "path": "users/{uid}/carts/{id}", "what": "created"}]})
    ask("PUT", "/v1/functions/cleanup", {"url": target, "triggers": [{"on": "schedule", "cron": "0 4 * * *", "tz": "Europe/Berlin"}]})
    for n in range(200):
        ask("POST", "/v1/call/default/quote", {"data": {"product": f"p{n}"}}, users[n % len(users)][1])
    for n in range(60):
        ask("POST", "/v1/functions/receipt/tasks", {"data": {"order": f"o{n}"}, "id": f"receipt-o{n}"})


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Target)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    signed_up = [ask("POST", "/v1/auth/sign-up", {"email": f"{name}@shop.example", "password": f"horse battery {name}"}, INGEST)
                 for name in ("hana", "ivan", "jana", "karl", "lea")]
    users = [(session["user"]["id"], session["id_token"]) for session in signed_up]
    functions(users, server.server_port)
    documents(users)
    files(users)
    for user in users:
        threading.Thread(target=listen, args=user, daemon=True).start()
    print("filled", flush=True)
    while True:
        ask("POST", "/v1/call/default/quote", {"data": {}}, users[0][1])
        ask("GET", "/v1/files/default/products/p1.jpg", key=INGEST)
        time.sleep(0.2)


main()
