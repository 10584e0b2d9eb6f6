# SPDX-License-Identifier: Apache-2.0

"""Fills a daemon with users and times pages of their list: users.py fill|recent|ask PORT INGEST_KEY READ_KEY [USERS].

Each user has a plan, an age and a country. One in a thousand has the plan `gold`, spread evenly.
"""

import concurrent.futures
import http.client
import json
import sys
import time
from datetime import datetime, timedelta, timezone
from urllib.parse import quote

NOW = datetime.now(timezone.utc)


class Client:
    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def ask(self, method, path, body=None):
        self.connection.request(method, path, body, self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {text[:300]}")
        return json.loads(text)


def user(number, count):
    # A fixed permutation, so that the order of IDs is not that of sightings.
    seen = NOW - timedelta(seconds=number * 7_919 % count * 30 * 86_400 / count)
    plan = "gold" if number % 1_000 == 0 else "pro" if number % 10 == 0 else "free"
    return {"user_id": f"user-{number:07}", "timestamp": seen.isoformat(),
            "properties": {"plan": plan, "age": 18 + number % 60, "country": f"c{number % 190}"}}


def fill(port, key, count):
    def send(start):
        client = Client(port, key)
        for first in range(start, min(start + 20_000, count), 500):
            users = [user(number, count) for number in range(first, min(first + 500, count))]
            client.ask("POST", "/v1/users", json.dumps({"users": users}))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(send, range(0, count, 20_000)))


def recent(port, key, count, known):
    """Users who were seen since the last fold: half of them known."""
    client = Client(port, key)
    for first in range(0, count, 1_000):
        events = [{"name": "opened", "user_id": f"user-{number * 91 % known:07}" if number % 2 else f"new-{number:07}"}
                  for number in range(first, min(first + 1_000, count))]
        client.ask("POST", "/v1/events", json.dumps(events))


def timed(client, path, rounds=50, limit=20):
    times, start = [], time.perf_counter()
    while len(times) < rounds and time.perf_counter() - start < limit:
        begin = time.perf_counter()
        page = client.ask("GET", path)
        times.append((time.perf_counter() - begin) * 1_000)
    times.sort()
    return page, times


def report(name, client, path):
    page, times = timed(client, path)
    p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
    print(f"{name:52} {len(page['items']):5} items   p50 {times[len(times) // 2]:8.1f}   p99 {p99:8.1f} ms", flush=True)
    return page


def ask(port, key, count):
    client = Client(port, key)
    page = report("by last sighting", client, "/v1/users?limit=100")
    for depth in [100, 1_000]:
        for _ in range(depth):
            page = client.ask("GET", f"/v1/users?limit=100&after={quote(page['next'])}")
        report(f"by last sighting, {depth * 100:,} further on", client, f"/v1/users?limit=100&after={quote(page['next'])}")
    report("by last sighting, 1,000 items", client, "/v1/users?limit=1000")
    for search in ["user-0500", "user-", "u", "none"]:
        report(f"search {search}", client, f"/v1/users?limit=100&search={search}")
    report("search, 500,000 further on", client, f"/v1/users?limit=100&search=user-&after={quote(f'id:user-{count // 2:07}')}")
    for condition in ["user.plan=free", "user.plan=pro", "user.plan=gold", "user.plan=none", "user.age>=70", "user.country=c7"]:
        page = report(f"filter {condition}", client, f"/v1/users?limit=100&filter={quote(condition)}")
    report("search with filter user.plan=gold", client, f"/v1/users?limit=100&search=user-&filter={quote('user.plan=gold')}")
    started, pages, items, after = time.perf_counter(), 0, 0, ""
    while True:
        page = client.ask("GET", f"/v1/users?limit=1000&filter={quote('user.plan=gold')}" + (f"&after={quote(after)}" if after else ""))
        pages, items = pages + 1, items + len(page["items"])
        if "next" not in page:
            break
        after = page["next"]
    print(f"all pages of filter user.plan=gold: {items} items in {pages} pages, {time.perf_counter() - started:.1f} s")


def main():
    task, port, ingest, read = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 1_000_000
    if task == "fill":
        fill(port, ingest, count)
    elif task == "recent":
        recent(port, ingest, 18_000, count)
    else:
        ask(port, read, count)


main()
