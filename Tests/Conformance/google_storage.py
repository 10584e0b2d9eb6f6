# SPDX-License-Identifier: Apache-2.0

"""Keeps files with Google's clients: google-cloud-storage, gcsfs and firebase-admin: google_storage.py INGESTD."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

# gcsfs asks for the kind of a bucket over gRPC, which an endpoint of HTTP alone does not answer.
os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"

import firebase_admin
import firebase_admin.credentials
import firebase_admin.storage
import gcsfs
from google.api_core import exceptions
from google.cloud import storage
from google.oauth2.credentials import Credentials

from daemon import Daemon, same

PIECE = 256 << 10


class Killing:
    """A file that kills the daemon between two reads, and starts it again."""

    def __init__(self, contents, daemon, at):
        self.contents, self.daemon, self.kills, self.place = contents, daemon, set(at), 0

    def read(self, count=-1):
        for place in [place for place in self.kills if place <= self.place]:
            self.kills.remove(place)
            self.daemon.stop(signal.SIGKILL)
            self.daemon.start()
        end = len(self.contents) if count < 0 else self.place + count
        piece = self.contents[self.place:end]
        self.place += len(piece)
        return piece

    def tell(self):
        return self.place

    def seek(self, place, whence=0):
        self.place = [0, self.place, len(self.contents)][whence] + place
        return self.place


def refused(error, action):
    try:
        action()
    except error as found:
        return found
    raise AssertionError(f"no {error.__name__}")


def whole(bucket):
    contents = os.urandom(300_000)
    blob = bucket.blob("users/ann/a b.bin")
    blob.metadata = {"album": "summer"}
    blob.upload_from_string(contents, "image/png", if_generation_match=0)
    for checksum in ["crc32c", "md5", None]:
        same(bucket.blob(blob.name).download_as_bytes(checksum=checksum) == contents, True, f"download with {checksum}")
    found = bucket.get_blob(blob.name)
    same((found.size, found.content_type, found.metadata), (300_000, "image/png", {"album": "summer"}), "description")
    same(found.generation, blob.generation, "generation")
    for start, end in [(0, 0), (10, 19), (299_999, None), (100, 299_999)]:
        part = contents[start:] if end is None else contents[start:end + 1]
        same(blob.download_as_bytes(start=start, end=end) == part, True, f"range {start}-{end}")
    refused(exceptions.RequestRangeNotSatisfiable, lambda: blob.download_as_bytes(start=300_000))
    with tempfile.TemporaryFile() as file:
        bucket.blob(blob.name, chunk_size=PIECE).download_to_file(file)
        file.seek(0)
        same(file.read() == contents, True, "download in pieces")
    for size in [0, 1, PIECE]:
        bucket.blob("sizes/x").upload_from_string(contents[:1] * size)
        same(len(bucket.blob("sizes/x").download_as_bytes()), size, "size")
    bucket.blob("sizes/x").delete()
    refused(exceptions.NotFound, bucket.blob("sizes/x").delete)
    same(bucket.blob("sizes/x").exists(), False, "exists")


def preconditions(bucket):
    blob = bucket.blob("conditions/a")
    blob.upload_from_string(b"1", if_generation_match=0)
    refused(exceptions.PreconditionFailed, lambda: bucket.blob("conditions/a").upload_from_string(b"2", if_generation_match=0))
    refused(exceptions.PreconditionFailed, lambda: bucket.blob("conditions/a").delete(if_metageneration_match=7))
    refused(exceptions.NotModified, lambda: bucket.blob("conditions/a").reload(if_generation_not_match=blob.generation))
    first = blob.generation
    blob.upload_from_string(b"2", if_generation_match=first)
    refused(exceptions.NotFound, lambda: bucket.blob("conditions/a", generation=first).download_as_bytes())
    same(blob.download_as_bytes(if_generation_match=blob.generation), b"2", "a generation")


def changes(bucket):
    blob = bucket.blob("changes/a")
    blob.upload_from_string(b"1", "text/plain")
    (blob.metadata, blob.cache_control, blob.content_language) = ({"a": "1", "b": "2"}, "no-store", "de")
    blob.patch(if_metageneration_match=blob.metageneration)
    blob.metadata = {"a": None, "c": "3"}
    blob.patch()
    found = bucket.get_blob("changes/a")
    same((found.metadata, found.cache_control, found.content_language), ({"b": "2", "c": "3"}, "no-store", "de"), "patched")
    found.content_type = "text/markdown"
    found.update()
    same(bucket.get_blob("changes/a").content_type, "text/markdown", "updated")
    copy = bucket.copy_blob(found, bucket, "changes/b", if_generation_match=0)
    same((copy.download_as_bytes(), copy.metadata), (b"1", {"b": "2", "c": "3"}), "copied")
    same(bucket.blob("changes/c").rewrite(found), (None, 1, 1), "rewritten")
    bucket.rename_blob(copy, "changes/d")
    same([blob.name for blob in bucket.list_blobs(prefix="changes/")], ["changes/a", "changes/c", "changes/d"], "renamed")
    refused(exceptions.MethodNotImplemented, lambda: bucket.blob("changes/e").compose([found, copy]))


def lists(bucket):
    for name in ["1.png", "2.txt", "x/3.png", "y/z/4.png"]:
        bucket.blob(f"lists/{name}").upload_from_string(b"1")

    def names(**query):
        return [blob.name.removeprefix("lists/") for blob in bucket.list_blobs(**({"prefix": "lists/"} | query))]

    folder = bucket.list_blobs(prefix="lists/", delimiter="/")
    same([blob.name for blob in folder], ["lists/1.png", "lists/2.txt"], "files")
    same(sorted(folder.prefixes), ["lists/x/", "lists/y/"], "folders")
    same(names(start_offset="lists/2", end_offset="lists/y"), ["2.txt", "x/3.png"], "offsets")
    same(names(match_glob="lists/**.png"), ["1.png", "x/3.png", "y/z/4.png"], "any depth")
    same(names(match_glob="lists/*.{png,txt}"), ["1.png", "2.txt"], "one folder")
    same(names(page_size=1), ["1.png", "2.txt", "x/3.png", "y/z/4.png"], "pages")
    same(names(max_results=3), ["1.png", "2.txt", "x/3.png"], "a limit")


def resumed(bucket, daemon):
    contents = os.urandom(5 * PIECE + 1_234)
    blob = bucket.blob("resumed/known", chunk_size=PIECE)
    blob.upload_from_file(Killing(contents, daemon, [PIECE, 4 * PIECE]), size=len(contents))
    same(bucket.blob("resumed/known").download_as_bytes() == contents, True, "an upload that was killed twice")
    blob = bucket.blob("resumed/unknown", chunk_size=PIECE)
    blob.upload_from_file(Killing(contents[:4 * PIECE], daemon, [2 * PIECE]))
    same(bucket.blob("resumed/unknown").download_as_bytes() == contents[:4 * PIECE], True, "an upload of an unknown length")
    for size in [0, 10, 2 * PIECE, len(contents)]:
        with bucket.blob("resumed/written").open("wb", chunk_size=PIECE) as file:
            file.write(contents[:size])
        with bucket.blob("resumed/written").open("rb", chunk_size=PIECE) as file:
            same(file.read() == contents[:size], True, f"open, {size} bytes")


def check_gcsfs(daemon, key):
    files = gcsfs.GCSFileSystem(project="shop", endpoint_url=daemon.url, token=Credentials(key), use_listings_cache=False)
    with tempfile.TemporaryDirectory() as folder:
        sent, found = pathlib.Path(folder, "sent"), pathlib.Path(folder, "found")
        for number in range(200):
            place = sent / f"folder {number % 7}" / f"ä {number}.bin"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(os.urandom(number * 997))
        files.put(f"{sent}/", "shop/tree/", recursive=True)
        same(len(files.find("shop/tree")), 200, "files")
        same(len(files.ls("shop/tree")), 7, "folders")
        files.get("shop/tree/", f"{found}/", recursive=True)
        for place in sent.rglob("*.bin"):
            same((found / place.relative_to(sent)).read_bytes() == place.read_bytes(), True, place.name)
    with files.open("shop/tree/large", "wb", block_size=PIECE) as file:
        for _ in range(5):
            file.write(b"x" * PIECE)
    same(files.info("shop/tree/large")["size"], 5 * PIECE, "size")
    same(files.cat_file("shop/tree/large", 10, 20), b"x" * 10, "range")
    files.cp("shop/tree/large", "shop/tree/copy")
    files.rm("shop/tree", recursive=True)
    same(files.find("shop/tree"), [], "removed")


def check_firebase(daemon, folder):
    """firebase-admin signs in with the file of a service account."""
    command = [daemon.program, "key", "create", "--app", "shop", "--role", "data", "--google-json", "--url", daemon.url, "--data", daemon.folder.name]
    account = pathlib.Path(folder, "account.json")
    account.write_bytes(subprocess.run(command, env=daemon.environment, check=True, capture_output=True).stdout)
    app = firebase_admin.initialize_app(firebase_admin.credentials.Certificate(account), {"storageBucket": "shop.appspot.com"})
    bucket = firebase_admin.storage.bucket(app=app)
    bucket.blob("admin/a").upload_from_string(b"1")
    same(bucket.blob("admin/a").download_as_bytes(), b"1", "firebase-admin")
    same([blob.name for blob in bucket.list_blobs(prefix="admin/")], ["admin/a"], "list")


def check_emulator(program):
    """Without any key, as with Google's emulator."""
    daemon = Daemon(program, INGESTD_FILES_RESERVE="0", INGESTD_MODE="development", INGESTD_ACCOUNTS_EMULATOR="true")
    try:
        daemon.app("shop")
        os.environ["STORAGE_EMULATOR_HOST"] = daemon.url
        bucket = storage.Client(project="shop").bucket("shop")
        bucket.blob("a").upload_from_string(b"1")
        same(bucket.blob("a").download_as_bytes(), b"1", "the emulator")
        same(gcsfs.GCSFileSystem(endpoint_url=daemon.url, token="anon").cat("shop/a"), b"1", "gcsfs without a key")
    finally:
        daemon.stop(signal.SIGTERM)


def main(program):
    daemon = Daemon(program, INGESTD_FILES_RESERVE="0")
    try:
        key = daemon.app("shop").keys["admin"]
        os.environ["STORAGE_EMULATOR_HOST"] = daemon.url
        bucket = storage.Client(project="shop", credentials=Credentials(key)).get_bucket("shop")
        for check in [whole, preconditions, changes, lists]:
            check(bucket)
        resumed(bucket, daemon)
        check_gcsfs(daemon, key)
        with tempfile.TemporaryDirectory() as folder:
            check_firebase(daemon, folder)
    finally:
        daemon.stop(signal.SIGTERM)
    check_emulator(program)
    print("google-cloud-storage, gcsfs and firebase-admin: files are kept, also in pieces with kills between them")


main(sys.argv[1])
