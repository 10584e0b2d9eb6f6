# SPDX-License-Identifier: Apache-2.0

"""Uploads files with tuspy, also while the daemon is killed between the pieces: tus_uploads.py INGESTD."""

import hashlib
import io
import os
import signal
import sys
import tempfile

import requests
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError
from tusclient.storage.filestorage import FileStorage

from daemon import Daemon, same

PIECE = 100_000


def whole(client, read):
    contents = os.urandom(3 * PIECE + 17)
    metadata = {"path": "tus/a b.bin", "type": "image/png", "album": "Sommer ä"}
    uploader = client.uploader(file_stream=io.BytesIO(contents), chunk_size=PIECE, metadata=metadata, upload_checksum=True)
    uploader.upload()
    answer = read("tus/a%20b.bin")
    same((answer.content == contents, answer.headers["Content-Type"]), (True, "image/png"), "an upload with checksums")
    same(read("tus/a%20b.bin?info=1").json()["metadata"], {"album": "Sommer ä"}, "metadata")


def refused(client, read):
    """A wrong checksum is refused, and nothing of the piece is kept."""
    uploader = client.uploader(file_stream=io.BytesIO(b"x" * 100), chunk_size=50, metadata={"path": "tus/b"}, upload_checksum=True)
    uploader.upload_chunk()
    sound = uploader.CHECKSUM_ALGORITHM_PAIR

    def wrong(_):
        return hashlib.sha1(b"other")

    uploader._BaseUploader__checksum_algorithm = wrong
    try:
        uploader.upload_chunk()
        raise AssertionError("a wrong checksum was accepted")
    except TusCommunicationError as error:
        same(error.status_code, 460, "a wrong checksum")
    uploader._BaseUploader__checksum_algorithm = sound[1]
    same(uploader.get_offset(), 50, "offset")
    uploader.upload()
    same(read("tus/b").content, b"x" * 100, "the upload after it")


def resumed(client, read, daemon):
    """The process of the client ends, and the daemon is killed, between pieces; the URL is kept in a file."""
    contents = os.urandom(5 * PIECE)
    with tempfile.TemporaryDirectory() as folder:
        place, urls = os.path.join(folder, "sent"), os.path.join(folder, "urls")
        with open(place, "wb") as file:
            file.write(contents)
        for number in range(5):
            uploader = client.uploader(place, chunk_size=PIECE, metadata={"path": "tus/c"}, upload_checksum=True, store_url=True, url_storage=FileStorage(urls))
            same(uploader.offset, number * PIECE, "offset")
            uploader.upload_chunk()
            daemon.stop(signal.SIGKILL)
            daemon.start()
    same(read("tus/c").content == contents, True, "an upload with a kill after each piece")


def deferred(client, read, daemon):
    """The length comes with the last piece."""
    contents = os.urandom(2 * PIECE)
    uploader = client.uploader(file_stream=io.BytesIO(contents), chunk_size=PIECE, metadata={"path": "tus/d"}, upload_checksum=True)
    headers = uploader.get_url_creation_headers() | {"upload-defer-length": "1"}
    del headers["upload-length"]
    made = requests.post(client.url, headers=headers, timeout=30)
    same(made.status_code, 201, "an upload without a length")
    uploader.set_url(requests.compat.urljoin(client.url, made.headers["Location"]))
    uploader.upload_chunk()
    same(requests.head(uploader.url, headers=uploader.get_headers(), timeout=30).headers["Upload-Defer-Length"], "1", "no length yet")
    daemon.stop(signal.SIGKILL)
    daemon.start()
    client.set_headers({"Upload-Length": str(len(contents))})
    uploader.upload()
    same(read("tus/d").content == contents, True, "an upload whose length came last")


def main(program):
    daemon = Daemon(program, INGESTD_FILES_RESERVE="0")
    try:
        app = daemon.app("shop")
        headers = {"Authorization": f"Bearer {app.keys['admin']}"}

        def read(path):
            return requests.get(f"{daemon.url}/v1/files/{app.id}/{path}", headers=headers, timeout=30)

        client = TusClient(f"{daemon.url}/v1/uploads/{app.id}", headers=headers)
        whole(client, read)
        refused(client, read)
        resumed(client, read, daemon)
        deferred(client, read, daemon)
    finally:
        daemon.stop(signal.SIGTERM)
    print("tuspy: uploads with checksums, resumed after kills, and without a length at the start")


main(sys.argv[1])
