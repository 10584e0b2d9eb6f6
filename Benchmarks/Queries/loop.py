# SPDX-License-Identifier: Apache-2.0

"""Repeats two queries over raw rows concurrently until it is terminated, and prints the number of results."""

import http.client
import signal
import sys
import threading

PATHS = [
    "funnel?steps=screen_view&steps=event_3&steps=purchase&window=1d&from=-8d&to=-1d",
    "retention?start=screen_view&return=purchase&interval=week&from=-55d&periods=8",
]
ended = threading.Event()
answered = [0, 0]


def ask(place: int, port: int, key: str) -> None:
    while not ended.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/v1/query/" + PATHS[place], headers={"Authorization": "Bearer " + key})
        answer = connection.getresponse()
        answer.read()
        answered[place] += answer.status == 200


def main(port: int, key: str) -> None:
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    for place in range(len(PATHS)):
        threading.Thread(target=ask, args=(place, port, key), daemon=True).start()
    ended.wait()
    print(f"meanwhile {answered[0]} funnels and {answered[1]} retentions were answered")


main(int(sys.argv[1]), sys.argv[2])
