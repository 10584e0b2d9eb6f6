# SPDX-License-Identifier: Apache-2.0

"""Firebase's SDK for files in a page of another origin, pointed to the daemon as to an emulator."""

import json
import signal

from daemon import same
from visit import Visit

PROJECT = "photo-shop-1a2b"
MIB = 1 << 20
SETTINGS = {"INGESTD_FILES_RESERVE": "0", "INGESTD_FILES_USER_SIZE": str(12 * MIB)}
RULES = """
rules_version = '2';
service firebase.storage { match /b/{bucket}/o {
  match /users/{uid}/{file=**} {
    allow read, delete: if request.auth.uid == uid;
    allow create, update: if request.auth.uid == uid && request.resource.size < 8 * 1024 * 1024 && request.resource.contentType.matches('(image|text)/.*');
  }
  match /notes/{uid}/{file} { allow read, write: if request.auth.uid == uid; }
  match /public/{file} { allow get: if true; }
} }
"""
MISSING, FORBIDDEN = "storage/object-not-found", "storage/unauthorized"
# Text and bytes in each format of `putString`, and what is stored.
STRINGS = [
    ("raw", "héllo 😀", "héllo 😀"), ("base64", "aMOpbGxv", "héllo"), ("base64url", "8J-YgA", "😀"), ("data_url", "data:text/css;base64,YXt9", "a{}"),
]


class Files:
    """A page with the SDK, whose user keeps files."""

    def __init__(self, browser, site, daemon, name, bundle):
        self.daemon, self.visit = daemon, Visit(browser, site, daemon, "firebase_storage", name, bundle, project=PROJECT)
        self.page, self.app = self.visit.page, self.visit.app
        self.app.set(project=PROJECT, auth_methods=["password"])
        status, answer = daemon.ask("PUT", "/v1/files-rules", self.app.keys["admin"], {"source": RULES}, {"Content-Type": "application/json"})
        assert status == 200, answer

    def run(self, script):
        return self.page.run(f"(async () => {{ {script} }})()")

    def outcome(self, script):
        return self.page.run(f"outcome({script})")

    def sign_up(self, email):
        return self.run(f"return (await firebase.auth().createUserWithEmailAndPassword('{email}', 'correct horse battery staple')).user.uid;")

    def sign_out(self):
        self.run("await firebase.auth().signOut();")

    def stored(self, path):
        """The bytes and the type of a file, as a server reads them."""
        status, body = self.daemon.ask("GET", f"/v1/files/{self.app.id}/{path}", self.app.keys["admin"])
        return body if status == 200 else status


def storage(browser, site, daemon, name, bundle):
    files = Files(browser, site, daemon, name, bundle)
    check_nobody(files)
    user = files.sign_up("ann@example.org")
    check_upload(files, user)
    check_pause(files, user)
    check_pause_at_end(files, user)
    check_network(files, user)
    check_cancel(files, user)
    check_strings(files, user)
    check_lists(files, user)
    check_details(files, user)
    check_urls(files, user)
    check_refusals(files, user)
    check_delete(files, user)
    urls = [request["url"] for request in files.page.requests.values()]
    origin = files.visit.address.split("/pages")[0]
    same([url for url in urls if not url.startswith((daemon.url, origin, "data:", "about:", "blob:"))], [], "requests to other servers")
    files.page.close()


def check_nobody(files):
    """Without a user rules decide about `request.auth == null`."""
    status, answer = files.daemon.ask("PUT", f"/v1/files/{files.app.id}/public/a.txt", files.app.keys["admin"], "a", {"Content-Type": "text/plain"})
    assert status == 201, answer
    same(files.run("return (await ref('public/a.txt').getMetadata()).size;"), 3, "a file of everyone")
    same(files.outcome("ref('users/u1/a.png').put(random(10), {contentType: 'image/png'})"), FORBIDDEN, "a small upload without a user")
    same(files.outcome(f"ref('users/u1/a.png').put(random({MIB}), {{contentType: 'image/png'}})"), FORBIDDEN, "a resumable upload without a user")
    for call in ("getMetadata()", "getDownloadURL()", "delete()", "listAll()"):
        same(files.outcome(f"ref('users/u1/a.png').{call}"), FORBIDDEN, call)


def check_upload(files, user):
    """A large file is sent in pieces, with progress; a small one in one request."""
    for path, size, pieces in (("large ü#?%.png", 3 * MIB + 1, 4), ("small.png", 1000, 1), ("empty.png", 0, 1)):
        sent = files.run(f"return await put('users/{user}/{path}', {size}, {{contentType: 'image/png', customMetadata: {{album: 'sömmer'}}}});")
        same(sent["end"], ["success", size, size], f"end of {path}")
        same((sent["type"], sent["custom"]), ("image/png", {"album": "sömmer"}), f"details of {path}")
        progress = [count for _, count in sent["seen"]]
        assert progress == sorted(progress) and len(set(progress) - {0}) >= min(pieces, size), progress
        found = files.run(f"return await read(await ref('users/{user}/{path}').getDownloadURL());")
        same(found, {"status": 200, "type": "image/png", "hash": sent["hash"]}, f"bytes of {path}")


def check_pause(files, user):
    """A paused upload goes on where it was, also after the daemon was killed."""
    path = f"users/{user}/paused.png"
    reached = files.run(f"return await putAndPause('{path}', {4 * MIB});")
    assert 0 < reached < 4 * MIB, reached
    same(files.outcome(f"ref('{path}').getMetadata()"), MISSING, "a file whose upload is paused")
    files.daemon.stop(signal.SIGKILL)
    files.daemon.start()
    before = len(files.page.requests)
    same(files.run("begun.task.resume(); return (await begun.task).state;"), "success", "an upload that goes on")
    commands = [request["headers"].get("X-Goog-Upload-Command") for request in list(files.page.requests.values())[before:]]
    assert commands[0] == "query" and "start" not in commands, commands
    same(files.run(f"return (await read(await ref('{path}').getDownloadURL())).hash === begun.hash;"), True, "bytes of two turns")


def check_pause_at_end(files, user):
    """A task that was paused before it had the last response asks for it, whether the upload was over or not."""
    path = f"users/{user}/last.png"
    # Responses come late, so that the page sees all bytes as sent before.
    files.page.send("Network.emulateNetworkConditions", offline=False, latency=500, downloadThroughput=-1, uploadThroughput=-1)
    begin = f"return await putAndPauseAtEnd('{path}', {MIB});"
    assert any(files.run(begin) for _ in range(5)), "no upload was paused before its end"
    files.page.go_offline(False)
    same(files.run("begun.task.resume(); return (await begun.task).state;"), "success", "an upload that was paused at its end")
    same(files.run(f"return (await read(await ref('{path}').getDownloadURL())).hash === begun.hash;"), True, "bytes of an upload paused at its end")
    files.run(f"await ref('{path}').delete();")


def check_network(files, user):
    """The SDK continues an upload by itself when the network is back."""
    path = f"users/{user}/offline.png"
    files.page.send("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=MIB)
    files.run(f"await putOnePiece('{path}', {2 * MIB});")
    before = len(files.page.failures)
    files.page.go_offline(True)
    files.visit.until(lambda: len(files.page.failures) > before, "sending without a network")
    same(files.run("return begun.task.snapshot.state;"), "running", "an upload without a network")
    files.page.go_offline(False)
    same(files.run("return (await begun.task).state;"), "success", "an upload after the network was away")
    same(files.run(f"return (await read(await ref('{path}').getDownloadURL())).hash === begun.hash;"), True, "bytes around the network's absence")
    files.run(f"await ref('{path}').delete();")


def check_cancel(files, user):
    path = f"users/{user}/cancelled.png"
    files.run(f"await putAndPause('{path}', {4 * MIB});")
    same(files.run("begun.task.resume(); return begun.task.cancel();"), True, "cancel")
    same(files.outcome("begun.task"), "storage/canceled", "a cancelled upload")
    same(files.outcome(f"ref('{path}').getMetadata()"), MISSING, "a file whose upload was cancelled")


def check_strings(files, user):
    for form, text, stored in STRINGS:
        path = f"users/{user}/strings/{form}"
        more = "" if form == "data_url" else ", {contentType: 'text/plain'}"
        same(files.outcome(f"ref('{path}').putString('{text}', '{form}'{more})"), "done", f"a string as {form}")
        same(files.stored(path), stored.encode(), f"a string as {form}")
    same(files.run(f"return (await ref('users/{user}/strings/data_url').getMetadata()).contentType;"), "text/css", "type of a data URL")


def check_lists(files, user):
    found = files.run(f"const all = await ref('users/{user}').listAll(); return [all.prefixes.map(one => one.fullPath), all.items.map(one => one.name)];")
    same(found, [[f"users/{user}/strings"], ["empty.png", "large ü#?%.png", "paused.png", "small.png"]], "a folder")
    pages = files.run(f"""
        const pages = [];
        let page = {{}};
        do {{
            page = await ref('users/{user}/strings').list({{maxResults: 3, pageToken: page.nextPageToken}});
            pages.push(page.items.map(one => one.name));
        }} while (page.nextPageToken);
        return pages;""")
    same(pages, [["base64", "base64url", "data_url"], ["raw"]], "pages of a folder")
    same(files.outcome("ref('users').listAll()"), FORBIDDEN, "the folder of all users")
    same(files.run(f"const all = await ref('users/{user}/none').listAll(); return [all.prefixes.length, all.items.length];"), [0, 0], "no folder")


def check_details(files, user):
    path = f"users/{user}/small.png"
    names = "name, bucket, fullPath, size, contentType, customMetadata, cacheControl, contentDisposition, contentLanguage"
    details = lambda call: files.run(f"const {{{names}, ...rest}} = await ref('{path}').{call}; return [{{{names}}}, rest];")
    first, rest = details("getMetadata()")
    same((first["name"], first["bucket"], first["fullPath"], first["size"]), ("small.png", f"{PROJECT}.appspot.com", path, 1000), "details")
    assert rest["timeCreated"].endswith("Z") and rest["updated"] >= rest["timeCreated"] and int(rest["generation"]) > 0, rest
    change = "{cacheControl: 'max-age=60', contentLanguage: 'de', contentType: 'image/webp', customMetadata: {album: null, place: 'Köln'}}"
    changed, later = details(f"updateMetadata({change})")
    same({name: changed.get(name) for name in ("cacheControl", "contentLanguage", "contentType", "customMetadata")}, {
        "cacheControl": "max-age=60", "contentLanguage": "de", "contentType": "image/webp", "customMetadata": {"place": "Köln"},
    }, "changed details")
    same((later["generation"], int(later["metageneration"])), (rest["generation"], int(rest["metageneration"]) + 1), "generations")
    same(details("getMetadata()"), [changed, later], "details that are read again")
    same(details("updateMetadata({cacheControl: null, contentLanguage: undefined})")[0].get("cacheControl"), None, "a removed detail")
    same(files.outcome(f"ref('{path}').updateMetadata({{contentType: 'application/zip'}})"), FORBIDDEN, "a type that rules refuse")


def check_urls(files, user):
    """A URL passes all rules, in parts too; one with another token does not. It works as an image, and as a reference of the SDK."""
    files.run(f"window.url = await ref('users/{user}/paused.png').getDownloadURL();")
    assert files.run("return url.startsWith(asked.daemon + '/v0/b/') && url.includes('alt=media&token=');"), files.run("return url;")
    same(files.run("return (await read(url, {headers: {Range: 'bytes=0-9'}})).status;"), 206, "a range")
    same(files.run("return (await read(url.replace(/token=..../, 'token=AAAA'))).status;"), 403, "another token")
    same(files.run("return firebase.storage().refFromURL(url).fullPath;"), f"users/{user}/paused.png", "reference of a URL")


def check_refusals(files, user):
    same(files.outcome(f"ref('users/{user}/big.png').put(random({8 * MIB}), {{contentType: 'image/png'}})"), FORBIDDEN, "a large file")
    same(files.outcome(f"ref('users/{user}/much.png').put(random({7 * MIB}), {{contentType: 'image/png'}})"), "storage/quota-exceeded", "the quota of the user")
    same(files.outcome(f"ref('users/{user}/a.zip').put(random(10), {{contentType: 'application/zip'}})"), FORBIDDEN, "another type")
    same(files.outcome(f"ref('users/{user}/none.png').getMetadata()"), MISSING, "details of nothing")
    same(files.outcome(f"ref('users/{user}/none.png').getDownloadURL()"), MISSING, "a URL of nothing")
    same(files.outcome(f"ref('notes/{user}/none').updateMetadata({{contentType: 'image/png'}})"), MISSING, "a change of nothing")
    files.sign_out()
    same(files.outcome(f"ref('users/{user}/small.png').getMetadata()"), FORBIDDEN, "a file after the sign-out")
    files.sign_up("bo@example.org")
    for call in ("getMetadata()", "getDownloadURL()", "updateMetadata({contentType: 'image/png'})", "delete()", "put(random(10), {contentType: 'image/png'})"):
        same(files.outcome(f"ref('users/{user}/small.png').{call}"), FORBIDDEN, f"{call} of another user")
    same(files.run("return (await read(url)).status;"), 200, "a URL in another user's hands")


def check_delete(files, user):
    files.sign_out()
    files.run("await firebase.auth().signInWithEmailAndPassword('ann@example.org', 'correct horse battery staple');")
    path = f"users/{user}/paused.png"
    same(files.outcome(f"ref('{path}').delete()"), "done", "delete")
    same(files.outcome(f"ref('{path}').delete()"), MISSING, "delete twice")
    same(files.outcome(f"ref('{path}').getMetadata()"), MISSING, "details of a deleted file")
    same(files.run("return (await read(url)).status;"), 403, "the URL of a deleted file")
