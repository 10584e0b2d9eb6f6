# SPDX-License-Identifier: Apache-2.0

"""Reads and writes documents with Google's own SDK over REST: firestore.py INGESTD [SOURCES [TESTS…]].

SOURCES is a copy of the SDK's sources, https://github.com/googleapis/google-cloud-python/tree/main/packages/google-cloud-firestore, whose
system tests then run, too.
"""

import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys

from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter, Or

from daemon import Daemon, same
from firestore_rest import connect

PROJECT = "old-shop-1a2b"


class World:
    """A daemon with an app, whose documents Google's client reads and writes as a service account."""

    def __init__(self, program):
        self.program, self.daemon = program, Daemon(program)
        self.app = self.daemon.app("shop")
        self.command("app", "set", str(self.app.id), f"project={PROJECT}")
        self.account = json.loads(
            self.command("key", "create", "--app", str(self.app.id), "--role", "data", "--google-json", "--url", self.daemon.url))

    def command(self, *words):
        command = [self.program, *words, "--data", self.daemon.folder.name]
        return subprocess.run(command, env=self.daemon.environment, check=True, capture_output=True, text=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.stop(signal.SIGTERM)

    def client(self, project=PROJECT):
        """A client whose requests go over HTTP, as gRPC is not spoken."""
        client = firestore.Client(project=project, credentials=AnonymousCredentials())
        connect(client, self.account, f"127.0.0.1:{self.daemon.port}")
        return client


def refuses(kind, call, text=""):
    try:
        call()
    except kind as error:
        assert text in str(error), error
        return
    raise AssertionError(f"{kind.__name__} was not raised")


def ids(snapshots):
    return [snapshot.id for snapshot in snapshots]


def values(client):
    """Every type of value comes back as it was sent."""
    sent = {
        "null": None, "bool": True, "integer": 2**53 + 1, "double": 1.5, "text": "é\u0000\U0001F600", "bytes": b"\0\xff",
        "time": datetime.datetime(2026, 11, 23, 10, 0, 0, 1, tzinfo=datetime.timezone.utc), "place": firestore.GeoPoint(48.1, -11.5),
        "reference": client.document("users/u2"), "list": [1, "a", {"b": None}], "map": {"a.b": {"c": [1.0]}}, "empty": {}, "none": [],
    }
    document = client.document("users/u1")
    document.create(sent)
    same(document.get().to_dict(), sent, "values")
    refuses(exceptions.Conflict, lambda: document.create(sent), "Document already exists")


def writes(client):
    document = client.document("users/u2")
    refuses(exceptions.NotFound, lambda: document.update({"a": 1}), "No document to update")
    document.set({"a": 1, "b": {"c": 2, "d": 3}, "list": [1, 2]})
    document.set({"b": {"c": 4}}, merge=True)
    document.update({"b.d": firestore.DELETE_FIELD, "list": firestore.ArrayUnion([2, 3]), "n": firestore.Increment(5), "at": firestore.SERVER_TIMESTAMP})
    found = document.get()
    time = found.get("at")
    same(found.to_dict(), {"a": 1, "b": {"c": 4}, "list": [1, 2, 3], "n": 5, "at": time}, "updates")
    document.update({"list": firestore.ArrayRemove([1]), "n": firestore.Maximum(3), "a": firestore.Minimum(-1)})
    same(document.get(["list", "n", "a"]).to_dict(), {"list": [2, 3], "n": 5, "a": -1}, "transforms")
    refuses(exceptions.BadRequest, lambda: document.update({"a": 2}, option=client.write_option(last_update_time=found.update_time)))
    document.delete()
    assert not document.get().exists
    _, added = client.collection("users").add({"a": 1})
    assert len(added.id) == 20 and added.get().exists
    batch = client.batch()
    for number in range(3):
        batch.set(client.document(f"batch/d{number}"), {"n": number})
    same(len(batch.commit()), 3, "results of a batch")
    bulk = client.bulk_writer()
    for number in range(30):
        bulk.set(client.document(f"bulk/d{number:02}"), {"n": number})
    bulk.close()
    same(client.collection("bulk").count().get()[0][0].value, 30, "documents of a bulk writer")


def queries(client):
    collection = client.collection("bulk")
    same(ids(collection.where(filter=FieldFilter("n", ">=", 27)).order_by("n", direction="DESCENDING").stream()), ["d29", "d28", "d27"], "order")
    either = Or([FieldFilter("n", "in", [3, 4]), FieldFilter("n", "==", 9)])
    same(ids(collection.where(filter=either).stream()), ["d03", "d04", "d09"], "or")
    page = collection.order_by("n").limit(2).start_after(collection.document("d04").get())
    same(ids(page.stream()), ["d05", "d06"], "a cursor")
    same(ids(collection.order_by("n").limit_to_last(2).get()), ["d28", "d29"], "the last")
    same([snapshot.to_dict() for snapshot in collection.select([]).limit(1).stream()], [{}], "names alone")
    total = collection.where(filter=FieldFilter("n", "<", 3)).sum("n", alias="sum").avg("n", alias="average").get()
    same({result.alias: result.value for result in total[0]}, {"sum": 3, "average": 1.0}, "aggregates")
    client.document("bulk/d00/below/x").set({"n": 1})
    client.document("bulk/gone/below/y").set({"n": 2})
    same(ids(client.collection_group("below").stream()), ["x", "y"], "a collection group")
    same([one.id for one in client.document("bulk/d00").collections()], ["below"], "collections")
    assert {"batch", "bulk", "users"} <= {one.id for one in client.collections()}
    same(len(list(collection.list_documents(page_size=7))), 31, "documents, one of them missing")
    got = client.get_all([client.document("bulk/d01"), client.document("bulk/none"), client.document("bulk/d01")])
    same(sorted((one.id, one.exists) for one in got), [("d01", True), ("none", False)], "documents by name")
    same(len(list(client.collection_group("bulk").get_partitions(3))), 1, "parts of a small group")


def transactions(client):
    document = client.document("counters/c")
    document.set({"n": 0})
    attempts = []

    @firestore.transactional
    def increment(transaction, disturbs):
        attempts.append(1)
        number = document.get(transaction=transaction).get("n")
        if disturbs and len(attempts) == 1:
            document.update({"n": firestore.Increment(10)})
        transaction.update(document, {"n": number + 1})

    increment(client.transaction(), False)
    same((len(attempts), document.get().get("n")), (1, 1), "a transaction")
    attempts.clear()
    increment(client.transaction(), True)
    same((len(attempts), document.get().get("n")), (2, 12), "a transaction that is repeated")

    @firestore.transactional
    def fails(transaction):
        document.get(transaction=transaction)
        transaction.create(document, {})

    refuses(exceptions.Conflict, lambda: fails(client.transaction()))
    before = document.get()
    document.update({"n": 50})
    same(document.get(read_time=before.read_time).get("n"), 12, "an earlier state")

    @firestore.transactional
    def reads(transaction):
        return [one.get("n") for one in client.collection("counters").stream(transaction=transaction)]

    same(reads(client.transaction(read_only=True)), [50], "a read-only transaction")


def run_specs(world, sources, tests):
    """Runs the SDK's own system tests; those that are left out are listed."""
    environment = os.environ | {
        "FIRESTORE_EMULATOR_HOST": f"127.0.0.1:{world.daemon.port}", "GCLOUD_PROJECT": PROJECT, "SIGNALBOX_ACCOUNT": json.dumps(world.account),
        "PYTHONPATH": str(pathlib.Path(__file__).resolve().parent), "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [
        sys.executable, "-m", "pytest", "-p", "firestore_specs", "-p", "no:cacheprovider", "-q", "-rs", "--no-fold-skipped", "--tb=short", "-k", " or ".join(tests),
        "tests/system/test_system.py",
    ]
    subprocess.run(command, cwd=sources, env=environment, check=True)


def main(program, sources=None, *tests):
    with World(program) as world:
        for part in (values, writes, queries, transactions):
            part(world.client())
        refuses(exceptions.Forbidden, lambda: world.client("other-shop").document("users/u1").get())
    print("firestore: google-cloud-firestore wrote, read, queried and repeated transactions over REST")
    if sources:
        with World(program) as world:
            run_specs(world, sources, tests)


if __name__ == "__main__":
    main(*sys.argv[1:])
