# SPDX-License-Identifier: Apache-2.0

"""Compares what real SDKs send with what the API returns of it, field by field: fields.py DAEMON PAGE [--write].

PAGE is docs/reference/sdk-fields.md. Its tables must state what was found; with --write they are renewed. A field is stored if its value
is anywhere in the API's result for the same event, person or message. Values that are too common, such as `true`, must have the same name.
"""

import collections
import datetime
import gzip
import http.client
import http.server
import importlib.metadata
import json
import pathlib
import re
import sys
import tempfile
import threading
import urllib.parse

import brotli
import posthog
import rudderstack.analytics.client as rudderstack
import segment.analytics.client as segment
import sentry_sdk
import sentry_sdk.sessions
from firebase_admin import messaging
from ga4mp import FirebaseMP

import firebase
from grouping import Sender
from sentry import Daemon, until

SAMPLES = pathlib.Path(__file__).parent.parent / "Fixtures" / "sentry"
# The recorded samples were sent long ago, so that their clock is corrected.
TIMES = ("timestamp", "started")
# Objects whose members are named by the app.
FREE = {"vars", "registers", "tags", "extra", "modules", "data", "properties", "traits", "$set", "$set_once", "user_properties"}


class Recorder(http.server.BaseHTTPRequestHandler):
    """Passes requests on to the daemon and keeps their decoded bodies."""

    bodies, target, protocol_version = [], 0, "HTTP/1.1"

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def pass_on(self):
        body = self.body()
        decode = {"gzip": gzip.decompress, "br": brotli.decompress}.get(self.headers.get("Content-Encoding"), bytes)
        Recorder.bodies.append((self.path, decode(body)))
        connection = http.client.HTTPConnection("127.0.0.1", Recorder.target, timeout=30)
        connection.request(self.command, self.path, body, {name: value for name, value in self.headers.items() if name not in ("Host", "Transfer-Encoding")})
        answer = connection.getresponse()
        text = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = pass_on

    def log_message(self, *_):
        pass


# MARK: Comparing


def leaves(value, path=()):
    """The values of a document with their paths, without positions in lists."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, path + (name,))
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one, path)
    elif value is not None and value != "":
        yield path, value


def field(path):
    """The path with `*` for names that the app gives."""
    return tuple("*" if at > 0 and path[at - 1] in FREE and not name.startswith("$") else name for at, name in enumerate(path))


def moment(text):
    try:
        time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)


def spellings(value):
    """The forms in which a value may be stored."""
    if isinstance(value, bool):
        return {str(value).lower()}
    if isinstance(value, (int, float)):
        # A fraction of a millisecond is cut or rounded.
        times = {f"time {cut(value * scale)}" for scale in (1e3, 1, 1e-3) if 1.5e12 < value * scale < 2.5e12 for cut in (int, round)}
        return {f"{value:.12g}"} | times
    text, time = str(value), moment(str(value)) if len(str(value)) > 15 else None
    # A release is stored without the app's name and the build, too.
    release = text.rsplit("@", 1)[-1].split("+")[0]
    forms = {text, text.lower(), text.replace("-", "").lower(), release} | ({f"time {cut(time.timestamp() * 1e3)}" for cut in (int, round)} if time else set())
    try:
        forms.add(f"{float(text):.12g}")
    except ValueError:
        pass
    return forms


def is_common(path, value):
    return path[0] == "sdk" or isinstance(value, bool) or isinstance(value, (int, float)) and abs(value) < 1000 or len(str(value)) < 3


def plain(name):
    return re.sub("[^a-z0-9]", "", name.lower())


class Stored:
    """The values of what the API returned."""

    def __init__(self, *documents):
        self.values, self.named, self.text = set(), set(), ""
        for document in documents:
            for path, value in self.all(document):
                forms = spellings(value)
                self.values |= forms
                self.named |= {(plain(path[-1]) if path else "", form) for form in forms}
                self.text += f"{value}\n"

    def all(self, document):
        for path, value in leaves(document):
            yield path, value
            if isinstance(value, str) and value[:1] in ("{", "["):
                try:
                    yield from ((path + inner, one) for inner, one in leaves(json.loads(value)))
                except ValueError:
                    pass

    def has(self, path, value):
        if is_common(path, value):
            return any((plain(path[-1]), form) in self.named for form in spellings(value))
        return bool(spellings(value) & self.values) or isinstance(value, str) and len(value) > 15 and value in self.text


class Fields:
    """How many values of each field were sent and stored."""

    def __init__(self):
        self.counts = collections.defaultdict(lambda: [0, 0])

    def compare(self, sent, stored, without=()):
        for path, value in leaves(sent):
            if path[-1] in without:
                continue
            count = self.counts[field(path)]
            count[0] += 1
            count[1] += stored.has(path, value)

    def groups(self, paths=None, depth=0):
        """The fields as (name, state). An object whose fields are all alike is one entry."""
        paths = sorted(self.counts) if paths is None else paths
        states = {self.state(path) for path in paths}
        if len(states) == 1 and depth > 0:
            yield ".".join(paths[0][:depth]), states.pop()
            return
        inner = collections.defaultdict(list)
        for path in paths:
            inner[path[: depth + 1]].append(path)
        for prefix, below in inner.items():
            yield from self.groups(below, len(prefix)) if len(prefix) > depth else [(".".join(prefix), self.state(prefix))]

    def state(self, path):
        sent, stored = self.counts[path]
        return "stored" if sent == stored else "partly" if stored else "dropped"

    def row(self, name):
        found = collections.defaultdict(list)
        for field, state in self.groups():
            found[state].append(f"`{field}`")
        cells = [", ".join(found[state]) or "–" for state in ("stored", "partly", "dropped")]
        return f"| {name} | {' | '.join(cells)} |"


# MARK: SDKs


def lines(text):
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def envelope_items(body):
    """The items of an envelope: header and payload."""
    body, at = body[body.find(b"\n") + 1 :], 0
    while at < len(body):
        end = body.find(b"\n", at)
        header = json.loads(body[at:end])
        # The last item may end without a line break.
        length = header.get("length", (body + b"\n").find(b"\n", end + 1) - end - 1)
        yield header, body[end + 1 : end + 1 + length]
        at = end + 1 + length + 1


def sentry_sends(port, daemon):
    sentry_sdk.init(
        daemon.dsn.replace(f":{daemon.port}/", f":{port}/"), release="shop@1.2.3", dist="build-57", environment="live", server_name="host-1",
        max_breadcrumbs=10, traces_sample_rate=0, send_default_pii=True)
    sentry_sdk.set_user({"id": "user-4711", "email": "ann@example.com", "username": "ann-4711"})
    sentry_sdk.set_tag("flavour", "beta-tag")
    sentry_sdk.set_extra("basket", {"items": 1234})
    sentry_sdk.set_context("shop", {"branch": "branch-99"})
    sentry_sdk.add_breadcrumb(message="opened cart", category="ui.click", data={"item": "mug-17"}, level="info", type="user")

    def complete(event, _):
        event["fingerprint"] = ["{{ default }}", "checkout-17"]
        event["request"] = {
            "url": "https://shop.example/cart", "method": "DELETE", "query_string": "step=4711", "headers": {"Referer": "https://ref.example"},
            "cookies": "cookie-4711", "data": {"body": "body-4711"}, "env": {"REMOTE_ADDR": "198.51.100.9"}}
        event["transaction"] = "/cart/{id}"
        event["user"]["ip_address"] = "203.0.113.7"
        return event

    sentry_sdk.get_isolation_scope().add_event_processor(complete)
    sentry_sdk.get_isolation_scope().start_session(session_mode="application")
    failing(sentry_sdk.capture_exception)
    sentry_sdk.capture_message("message 4711", level="warning")
    sentry_sdk.get_isolation_scope().end_session()
    # As the integrations of web servers do for each request.
    for _ in range(3):
        with sentry_sdk.sessions.track_session(sentry_sdk.get_isolation_scope(), session_mode="request"):
            pass
    sentry_sdk.flush(10)


def sentry(daemon, port):
    """Returns the fields of events and sessions of sentry-sdk, and of events of sentry-cli."""
    sentry_sends(port, daemon)
    bodies = [body for path, body in Recorder.bodies if "/envelope/" in path]
    names = ("sentry-sdk events", "sentry-sdk `session` items", "sentry-sdk `sessions` items", "sentry-cli events")
    fields = {name: Fields() for name in names}
    sent = [("sentry-sdk events", body) for body in bodies]
    sender = Sender(daemon)
    for path in sorted(SAMPLES.glob("*.envelope")):
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)
        connection.request("POST", f"/api/{sender.project}/envelope/?sentry_key={sender.key}", path.read_bytes())
        assert connection.getresponse().status == 200
        sent.append((f"{'sentry-cli' if path.name.startswith('cli') else 'sentry-sdk'} events", path.read_bytes()))
    issues, types, counts = sender.issues(), collections.Counter(), []
    for name, body in sent:
        header = json.loads(body[: body.find(b"\n")])
        for item, payload in envelope_items(body):
            types[item["type"]] += 1
            if item["type"] == "event":
                event = json.loads(payload)
                identifier = (header.get("event_id") or event["event_id"]).replace("-", "")
                dashed = "-".join(identifier[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
                stored = daemon.ask("GET", f"/v1/issues/{issues[identifier]['id']}/events/{dashed}", "read")
                fields[name].compare(event, Stored(stored), without=() if body in bodies else TIMES)
            elif item["type"] == "session":
                session = json.loads(payload)
                events = [one for one in export(daemon) if one.get("session_id") == session["sid"]]
                fields["sentry-sdk `session` items"].compare(session, Stored(*events), without=() if body in bodies else TIMES)
            elif item["type"] == "sessions" and body in bodies:
                counts.append(json.loads(payload))
    for one in counts:
        fields["sentry-sdk `sessions` items"].compare(one, Stored(*counted(daemon, counts)))
    return fields


def counted(daemon, items):
    """The items of one release and environment as far as the counted sessions show them: sums by quarter-hour, of which the crashed ones are
    told from the others."""
    attributes = items[0]["attrs"]
    sent = collections.Counter()
    for one in (one for item in items for one in item["aggregates"]):
        sent.update({name: value for name, value in one.items() if isinstance(value, int)})
    release = attributes["release"].rsplit("@", 1)[-1]
    parts = daemon.ask("GET", f"/v1/query/crash-free?from=-1h&interval=minute&filter=context.environment={attributes['environment']}", "read")["releases"]
    part = next(part for part in parts if part.get("release") == release)
    crashed = {"crashed": part["total"]["crashed_sessions"], "exited": part["total"]["counted_sessions"] - sent["crashed"]}
    starts = {moment(point["t"]) for point in part["points"] if point["sessions"]}
    started = [one["started"] for item in items for one in item["aggregates"] if any(0 <= (moment(one["started"]) - t).total_seconds() < 900 for t in starts)]
    # The values are those of the items where the sums are equal.
    found = [{name: one[name]} for item in items for one in item["aggregates"] for name in one if name in crashed and crashed[name] == sent[name]]
    return [{"started": started}, attributes["environment"], release, *found]


def export(daemon):
    connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)
    connection.request("GET", "/v1/export?from=-3000d", headers={"Authorization": f"Bearer {daemon.keys['read']}"})
    return lines(connection.getresponse().read().decode())


def person(daemon, name):
    found = []
    for by in ("user", "installation"):
        try:
            found.append(daemon.ask("GET", f"/v1/users/{urllib.parse.quote(name)}?by={by}", "read"))
        except OSError:
            pass
    return [{name: part[name] for name in ("properties", "user_id", "installations") if name in part} for part in found]


def segment_family(module, daemon, port):
    client = module.Client(daemon.keys["ingest"], host=f"http://127.0.0.1:{port}", sync_mode=True)
    context = {
        "app": {"name": "Shop", "version": "2.1.4711", "build": "4712", "namespace": "com.example.shop"}, "ip": "203.0.113.7", "locale": "de-CH",
        "device": {"id": "device-4711", "manufacturer": "Maker", "model": "Model-17", "name": "Pad", "type": "ios", "advertisingId": "ad-4711"},
        "os": {"name": "iOS", "version": "18.4711"}, "network": {"carrier": "Carrier-1", "wifi": True}, "screen": {"width": 1179, "height": 2556},
        "timezone": "Europe/Zurich", "groupId": "group-4711", "traits": {"plan": "gold-17"}, "sessionId": 1234567890,
    }
    # A context with a page or an agent is a browser's.
    browser = {
        "campaign": {"name": "autumn-17", "source": "mail-17"}, "page": {"url": "https://shop.example/p", "title": "Page-17", "referrer": "https://ref.example"},
        "userAgent": "Agent/4711", "locale": "de-CH", "ip": "203.0.113.7", "timezone": "Europe/Zurich", "screen": {"width": 1179, "height": 2556},
    }
    more = {"context": context, "integrations": {"Mixpanel-4711": True}, "anonymous_id": "laptop-4711"}
    client.track("ann-4711", "Song Played", {"title": "title-17", "list": [4711, {"deep": "deep-17"}]}, **more)
    client.page("ann-4711", category="Docs-17", name="Prices-17", properties={"path": "/path-17"}, **more | {"context": browser})
    client.screen("ann-4711", category="Music-17", name="Home-17", properties={"feed": "feed-17"}, **more)
    client.identify("ann-4711", {"tier": "tier-17"}, **more)
    client.group("ann-4711", "company-4711", {"size": "size-17"}, **more)
    client.alias("tablet-4711", "ann-4711")
    calls = [call for path, body in Recorder.bodies if path.endswith("/batch") for call in json.loads(body)["batch"]]
    people = person(daemon, "ann-4711") + person(daemon, "laptop-4711")
    fields = {}
    for call in calls:
        events = [one for one in export(daemon) if one["id"] == call["messageId"]]
        fields.setdefault(f"`{call['type']}`", Fields()).compare(call, Stored(*events, *people))
    return fields


def post_hog(daemon, port):
    client = posthog.Posthog(daemon.keys["ingest"], host=f"http://127.0.0.1:{port}", sync_mode=True)
    client.capture("Song Played", distinct_id="ann-4711", properties={
        "title": "title-17", "deep": {"list": ["deep-17"]}, "$set": {"tier": "tier-17"}, "$set_once": {"from": "ad-17"}, "$os": "iOS",
        "$os_version": "18.4711", "$app_version": "2.1.4711", "$app_build": "4712", "$device_model": "Model-17", "$locale": "de-CH",
        "$session_id": "session-4711", "$ip": "203.0.113.7", "$browser": "Browser-17", "$current_url": "https://shop.example/p",
        "$screen_name": "Screen-17", "$feature/flag": "variant-17"}, groups={"company": "company-4711"})
    client.set(distinct_id="ann-4711", properties={"age": "age-17"})
    client.alias("tablet-4711", "ann-4711")
    client.group_identify("company", "company-4711", {"size": "size-17"})
    failing(lambda error: client.capture_exception(error, distinct_id="ann-4711"))
    client.shutdown()
    entries = [one for path, body in Recorder.bodies if path.startswith("/batch") for one in json.loads(body)["batch"]]
    fields = {}
    for entry in entries:
        events = [one for one in export(daemon) if one["id"].replace("-", "") == entry["uuid"].replace("-", "")]
        crashes = []
        if entry["event"] == "$exception":
            issue = daemon.ask("GET", "/v1/issues", "read")["items"][0]["id"]
            crashes = [daemon.ask("GET", f"/v1/issues/{issue}/events/latest", "read")]
        name = f"`{entry['event']}`" if entry["event"].startswith("$") else "events"
        fields.setdefault(name, Fields()).compare(entry, Stored(*events, *crashes, *person(daemon, "ann-4711")))
    return fields


def google(daemon, port):
    client = FirebaseMP(api_secret=daemon.keys["ingest"], firebase_app_id="1:1234:ios:abcd", app_instance_id="0123456789abcdef0123456789abcdef")
    client._base_domain = f"http://127.0.0.1:{port}/mp/collect"
    client.store.set_user_property("plan", "gold-17")
    event = client.create_new_event("level_up")
    for name, value in {"level": 4711, "session_id": "1234567890", "engagement_time_msec": 4712, "text": "text-17"}.items():
        event.set_event_param(name, value)
    purchase = client.create_new_event("purchase")
    for name, value in {"value": 2750.5, "currency": "USD", "transaction_id": "transaction-17"}.items():
        purchase.set_event_param(name, value)
    item = purchase.create_new_item("sku-4711", "Mug-17")
    item.set_parameter("price", 4713)
    purchase.add_item_to_event(item)
    client.send([event, purchase])
    body = [json.loads(body) for path, body in Recorder.bodies if path.startswith("/mp/collect")][0]
    fields = Fields()
    fields.compare(body, Stored(*export(daemon), *person(daemon, "0123456789abcdef0123456789abcdef")))
    return {"`ga4mp` requests": fields}


def cloud_messaging(daemon, port):
    Recorder.target = daemon.port
    number = json.load(open(f"{daemon.folder}/development-keys.json"))["app"]
    proxied = type("Proxied", (), {"port": port})
    app = firebase.app(proxied, firebase.FixedKey(daemon.keys["send"]), str(number), "fields")
    messaging.send(messaging.Message(
        topic="news-4711", data={"key": "value-17"}, notification=messaging.Notification("Title-17", "Body-17", "https://shop.example/i.png"),
        android=messaging.AndroidConfig(
            collapse_key="collapse-17", priority="high", ttl=4711, restricted_package_name="com.example.shop", data={"a": "android-17"},
            notification=messaging.AndroidNotification(icon="icon-17", color="#112233", channel_id="channel-17")),
        apns=messaging.APNSConfig(
            headers={"apns-priority": "10", "apns-topic": "topic-17"}, payload=messaging.APNSPayload(messaging.Aps(badge=4712, sound="sound-17"))),
        webpush=messaging.WebpushConfig(
            headers={"Urgency": "high"}, data={"w": "web-17"}, notification=messaging.WebpushNotification("WebTitle-17"),
            fcm_options=messaging.WebpushFCMOptions("https://shop.example/link")),
        fcm_options=messaging.FCMOptions(analytics_label="label-17")), app=app)
    body = [json.loads(body) for path, body in Recorder.bodies if path.endswith("messages:send")][0]
    message = daemon.ask("GET", "/v1/messages?limit=1", "send")["items"][0]
    fields = Fields()
    fields.compare(body["message"], Stored(daemon.ask("GET", f"/v1/messages/{message['id']}", "send")))
    return {"`firebase-admin` messages": fields}


def failing(capture):
    """Calls `capture` with an error. This function is far from the values that are sent, because SDKs send the lines around a frame."""
    shop = {"local": "local-17"}
    try:
        try:
            int(shop["local"])
        except ValueError as error:
            raise RuntimeError(f"order of {len(shop)} failed") from error
    except RuntimeError as error:
        capture(error)


# MARK: Page

SDKS = (
    ("Sentry", ("sentry-sdk", "sentry-cli"), sentry),
    ("Segment", ("segment-analytics-python",), lambda daemon, port: segment_family(segment, daemon, port)),
    ("RudderStack", ("rudder-sdk-python",), lambda daemon, port: segment_family(rudderstack, daemon, port)),
    ("PostHog", ("posthog",), post_hog),
    ("Google Analytics", ("ga4mp",), google),
    ("Firebase Cloud Messaging", ("firebase-admin",), cloud_messaging),
)
HEAD = """# Fields of SDKs

This page is made by `./scripts/conformance`, which sends with real SDKs and compares each field of
their requests with what the API returns. [Moving from another product](../get-started/migrate.md)
says how to change an SDK's address.

*Partly* means that some of the values were found: a list was cut, or only some forms are stored.
Names that the app chooses are `*`.
"""


OTHERS = """
## Sentry's SDKs of other languages

"""


def sdk_sections(text, versions=None, rows=()):
    """Returns the versions and rows of the last section, which sdks.py renews; with versions the text with new ones."""
    first, _, last = text.partition(OTHERS)
    if versions is None:
        return dict(re.findall(r"`(sentry-\w+)` (\S+?)(?:,|$)", last, re.MULTILINE)), [line for line in last.splitlines() if line.startswith("| sentry-")]
    named = ", ".join(f"`{name}` {version}" for name, version in sorted(versions.items()))
    return "\n".join([first + OTHERS + named, "", "| what is sent | stored | partly | not stored |", "|---|---|---|---|", *rows]) + "\n"


def version(package):
    name = {"sentry-cli": "sentry_cli", "firebase-admin": "firebase_admin"}.get(package, package)
    return f"`{package}` {importlib.metadata.version(name)}"


def section(name, packages, run, program):
    Recorder.bodies = []
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        Recorder.target = daemon.port
        try:
            rows = [fields.row(one) for one, fields in run(daemon, server.server_port).items()]
        finally:
            server.shutdown()
            daemon.end()
    table = ["| what is sent | stored | partly | not stored |", "|---|---|---|---|"] + rows
    return "\n".join([f"## {name}", "", ", ".join(version(package) for package in packages), ""] + table)


def main(program, page, *options):
    path = pathlib.Path(page)
    others = path.read_text().partition(OTHERS)
    text = HEAD + "\n" + "\n\n".join(section(name, packages, run, program) for name, packages, run in SDKS) + "\n" + "".join(others[1:])
    if "--write" in options:
        path.write_text(text)
    known = path.read_text().splitlines()
    for line in text.splitlines():
        if line not in known:
            print(f"fields: {page} lacks this line: {line}")
    assert known == text.splitlines(), f"{page} is out of date; renew it with --write"
    print(f"fields: {page} states what {len(SDKS)} SDKs send and what is stored")


if __name__ == "__main__":
    main(*sys.argv[1:])
