# SPDX-License-Identifier: Apache-2.0

"""Times figures of people, or of sessions, over one HTTP connection, each round 1.5 s after the one before, so that no result is
reused. The first round is apart, because it fills the memory."""

import datetime
import http.client
import sys
import time

PEOPLE = [
    ("active users of 30 days", "active-users?from=-29d"),
    ("users per day, 30 days", "series?metric=users&from=-29d"),
    ("lifecycle of 30 days", "lifecycle?from=-29d"),
    ("retention of 30 days, first open and any event", "retention?from=-29d&interval=day&periods=8"),
]
# The app's zone is UTC.
MIDNIGHT = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT00:00:00Z")
TODAY = [
    ("sessions of today by hour", f"sessions?from={MIDNIGHT}&interval=hour"),
    ("crash-free of today by hour", f"crash-free?from={MIDNIGHT}&interval=hour"),
    ("series of sessions today by hour", f"series?metric=sessions&from={MIDNIGHT}&interval=hour"),
]

MONTH = [
    ("sessions of 30 days", "sessions?from=-29d"),
    ("crash-free of 30 days", "crash-free?from=-29d"),
    ("series of sessions of 30 days", "series?metric=sessions&from=-29d"),
]

SECONDS = 1.5


def main(port: int, key: str, rounds: int, questions: list[tuple[str, str]]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    times: dict[str, list[float]] = {name: [] for name, _ in questions}
    for number in range(rounds):
        end = time.perf_counter() + SECONDS
        for name, path in questions:
            start = time.perf_counter()
            connection.request("GET", "/v1/query/" + path, headers={"Authorization": "Bearer " + key})
            answer = connection.getresponse()
            body = answer.read()
            times[name].append((time.perf_counter() - start) * 1000)
            if answer.status != 200:
                sys.exit(f"{name}: {answer.status} {body.decode()}")
        if number + 1 < rounds:
            time.sleep(max(0, end - time.perf_counter()))
    for name, taken in times.items():
        line = f"first {taken[0]:7.1f}"
        later = sorted(taken[1:])
        if later:
            line += f"   p50 {later[len(later) // 2]:7.1f}   p99 {later[min(len(later) - 1, int(len(later) * 0.99))]:7.1f}"
        print(f"{name:50} {line} ms", flush=True)


subject, arguments = sys.argv[1], sys.argv[2:]
questions = {"people": PEOPLE, "today": TODAY, "month": MONTH}[subject]
main(int(arguments[0]), arguments[1], int(arguments[2]), [questions[int(place)] for place in arguments[3:]] or questions)
