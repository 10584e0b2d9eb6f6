# SPDX-License-Identifier: Apache-2.0
"""The time from the commit of an event to the call of the function that it triggers, beside 10,000 other events a second.

    python3 Benchmarks/Functions/delay.py PORT INGEST_KEY ADMIN_KEY BENCH_PROGRAM

For ten seconds 100 events a second match. The commit of one is when its 200 arrives.
"""
import asyncio
import json
import sys
import time
import urllib.request

port, ingest, admin, bench = int(sys.argv[1]), *sys.argv[2:5]
seconds, a_second = 10, 100
committed, called = {}, {}


async def receive(reader, writer):
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionResetError, asyncio.CancelledError):
            return writer.close()
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        body = json.loads(await reader.readexactly(length))
        called.setdefault(body["data"]["params"]["number"], []).append(time.monotonic())
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")


async def send(first, step):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begin = time.monotonic()
    for turn, number in enumerate(range(first, seconds * a_second, step)):
        await asyncio.sleep(max(0, begin + turn * step / a_second - time.monotonic()))
        body = json.dumps({"events": [{"name": "matching", "installation_id": "bench", "params": {"number": number}}]}).encode()
        writer.write(
            b"POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % (ingest.encode(), len(body)) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.split(b"\r\n")[0], head
        await reader.readexactly(int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]))
        committed[number] = time.monotonic()


async def main():
    server = await asyncio.start_server(receive, "127.0.0.1", 0)
    target = server.sockets[0].getsockname()[1]
    definition = {"url": f"http://127.0.0.1:{target}/", "triggers": [{"on": "event", "name": "matching"}]}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/functions/delay", json.dumps(definition).encode(), {"Authorization": f"Bearer {admin}"}, method="PUT")
    await asyncio.to_thread(lambda: urllib.request.urlopen(request).read())
    load = await asyncio.create_subprocess_exec(
        bench, "load", "--port", str(port), "--key", ingest, "--clients", "64", "--batch", "10", "--rate", "10000", "--events",
        str(10_000 * (seconds + 2)), "--name", "  the other events")
    await asyncio.sleep(1)
    await asyncio.gather(*(send(first, 4) for first in range(4)))
    await load.wait()
    for _ in range(100):
        if len(called) >= len(committed):
            break
        await asyncio.sleep(0.1)
    waits = sorted(max(0.0, called[number][0] - at) for number, at in committed.items() if number in called)
    twice = sum(len(times) > 1 for times in called.values())
    at = lambda share: f"{waits[min(len(waits) - 1, int(len(waits) * share))] * 1000:.1f}"
    print(
        f"commit to call beside 10,000 events a second: {len(waits)} of {len(committed)} called, {twice} twice, "
        f"p50 / p99 / most {at(0.5)} / {at(0.99)} / {at(1)} ms")


asyncio.run(main())
