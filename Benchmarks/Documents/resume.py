# SPDX-License-Identifier: Apache-2.0
"""Clients that listen to a collection, are cut off, and go on after documents were written: ours and Google's emulator, at equal work.

    python3 Benchmarks/Documents/resume.py OUR_PORT OUR_KEY EMULATOR_PORT [CLIENTS] [DOCUMENTS] [WRITTEN]

Prints the seconds until all clients are current again, and the bytes that they received.
"""
import asyncio
import json
import sys
import time
import urllib.request

import grpc
from google.cloud.firestore_v1.types import document, firestore, query, write

port, key, emulator = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
clients, documents, written = (int(text) for text in (sys.argv[4:] + ["100", "10000", "1000"][len(sys.argv[4:]) :]))
database = "projects/bench/databases/(default)"
text = "x" * 200


class Ours:
    name = "ours"

    def write(self, first, count):
        for start in range(first, first + count, 500):
            numbers = range(start, min(start + 500, first + count))
            writes = [{"set": f"resumed/d{number % documents}", "fields": {"n": time.time_ns(), "text": text}} for number in numbers]
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/v1/documents:commit",
                json.dumps({"writes": writes}).encode(),
                {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
            )
            urllib.request.urlopen(request).read()

    async def listen(self, token):
        """Returns a new token and the bytes received, once the target is current."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 26)
        body = {"targets": [{"target": 1, "query": {"from": "resumed"}}]} | ({"resume": token} if token else {})
        body = json.dumps(body)
        head = f"POST /v1/documents:listen HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write((head + body).encode())
        received = 0
        while True:
            line = await reader.readline()
            received += len(line)
            if line.startswith(b"id: "):
                token = line[4:].strip().decode()
            if line.startswith(b"data: ") and b'"current"' in line:
                break
        writer.close()
        return token, received


class Emulator:
    name = "emulator"

    def __init__(self):
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{emulator}", [("grpc.max_receive_message_length", 1 << 26)])
        method = "/google.firestore.v1.Firestore/"
        self.listening = self.channel.stream_stream(
            method + "Listen", firestore.ListenRequest.serialize, firestore.ListenResponse.deserialize
        )

    def write(self, first, count):
        with grpc.insecure_channel(f"127.0.0.1:{emulator}") as channel:
            commit = channel.unary_unary(
                "/google.firestore.v1.Firestore/Commit", firestore.CommitRequest.serialize, firestore.CommitResponse.deserialize
            )
            for start in range(first, first + count, 500):
                writes = []
                for number in range(start, min(start + 500, first + count)):
                    fields = {"n": document.Value(integer_value=time.time_ns()), "text": document.Value(string_value=text)}
                    name = f"{database}/documents/resumed/d{number % documents}"
                    writes.append(write.Write(update=document.Document(name=name, fields=fields)))
                commit(firestore.CommitRequest(database=database, writes=writes), metadata=[("authorization", "Bearer owner")])

    async def listen(self, token):
        selector = query.StructuredQuery.CollectionSelector(collection_id="resumed")
        target = firestore.Target(
            query=firestore.Target.QueryTarget(
                parent=f"{database}/documents", structured_query=query.StructuredQuery(from_=[selector])
            ),
            target_id=1,
        )
        if token:
            target.resume_token = token
        call = self.listening(metadata=[("authorization", "Bearer owner"), ("google-cloud-resource-prefix", database)])
        await call.write(firestore.ListenRequest(database=database, add_target=target))
        received, is_current = 0, False
        async for response in call:
            received += firestore.ListenResponse.pb(response).ByteSize()
            change = response.target_change
            if change.target_change_type == firestore.TargetChange.TargetChangeType.CURRENT:
                is_current = True
            if is_current and change.resume_token:
                token = change.resume_token
                break
        call.cancel()
        return token, received


async def measure(side):
    side.write(0, documents)
    tokens = [token for token, _ in await asyncio.gather(*(side.listen(None) for _ in range(clients)))]
    await asyncio.to_thread(side.write, 0, written)
    start = time.monotonic()
    results = await asyncio.gather(*(side.listen(token) for token in tokens))
    seconds = time.monotonic() - start
    print(f"{side.name}: {clients} clients current again after {seconds:.2f} s, {sum(count for _, count in results)} bytes")


async def main():
    for _ in range(3):
        await measure(Ours())
        await measure(Emulator())


asyncio.run(main())
