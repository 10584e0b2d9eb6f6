# SPDX-License-Identifier: Apache-2.0

"""Times queries over one HTTP connection: p50, p99 and the first of each, and the daemon's CPU time."""

import http.client
import json
import os
import sys
import time
from urllib.parse import quote

QUESTIONS = [
    # name, rounds, path
    ("events of one name per day, 30 days", 200, "series?event=screen_view&from=-29d"),
    ("events of one name per hour, 30 days", 200, "series?event=screen_view&interval=hour&from=-29d"),
    ("DAU of 30 days, the app's zone", 200, "series?metric=users&from=-29d"),
    ("DAU, WAU and MAU of 30 days", 200, "active-users?from=-29d"),
    ("top screens of 30 days", 200, "top?field=params.screen_name&metric=screen_views&from=-29d"),
    ("revenue per day, 30 days", 200, "series?metric=revenue&from=-29d"),
    ("realtime", 200, "realtime"),
    ("DAU of 30 days, another zone", 10, "series?metric=users&from=-29d&tz=Asia/Kathmandu"),
    ("active users of 30 days, another zone", 10, "active-users?from=-29d&tz=Asia/Kathmandu"),
    ("funnel of 3 steps, 7 closed days", 5, "funnel?steps=screen_view&steps=event_3&steps=purchase&window=1d&from=-8d&to=-1d"),
    ("funnel of 3 steps, 30 days", 3, "funnel?steps=screen_view&steps=event_3&steps=purchase&window=1d&from=-29d"),
    ("retention 8×8 weeks, screen_view and purchase", 5, "retention?start=screen_view&return=purchase&interval=week&from=-55d&periods=8"),
    ("retention 8×8 weeks, first time and anything", 5, "retention?interval=week&from=-55d&periods=8"),
    ("one event by a parameter, 7 closed days per hour", 5,
     "series?event=event_3&interval=hour&from=-8d&to=-1d&filter=" + quote("params.level>=50")),
    ("the most frequent event by a parameter, the same", 5,
     "series?event=screen_view&interval=hour&from=-8d&to=-1d&filter=" + quote("params.level>=50")),
    ("revenue of 30 days with buyers", 5, "revenue?from=-29d"),
    ("sessions of 7 closed days", 3, "sessions?from=-8d&to=-1d"),
    ("lifecycle of 30 days", 5, "lifecycle?from=-29d"),
    ("events by platform, 7 closed days", 3, "series?breakdown=context.platform&from=-8d&to=-1d"),
]


def cpu_ms(process: int) -> float:
    """Returns the CPU time of a process, which is more exact than wall time on a busy machine."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main(port: int, key: str, process: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for name, rounds, path in QUESTIONS:
        times = []
        used = cpu_ms(process)
        for _ in range(rounds):
            if sum(times) > 10_000:
                break
            start = time.perf_counter()
            connection.request("GET", "/v1/query/" + path, headers={"Authorization": "Bearer " + key})
            answer = connection.getresponse()
            body = answer.read()
            times.append((time.perf_counter() - start) * 1000)
            if answer.status != 200:
                print(f"{name}: {answer.status} {json.loads(body)['detail']}")
                times = []
                break
        if times:
            first, rounds = times[0], len(times)
            times.sort()
            p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
            print(f"{name:55} {rounds:4} rounds   first {first:8.1f}   p50 {times[len(times) // 2]:8.1f}   p99 {p99:8.1f} ms   cpu {(cpu_ms(process) - used) / rounds:8.1f}")


main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
