# SPDX-License-Identifier: Apache-2.0

"""Sends events with unmodified SDKs of other products to a daemon and compares the stored data: integrations.py INGESTD."""

import datetime
import http.client
import logging
import signal
import sys
import threading
import time
import urllib.error

import posthog
import rudderstack.analytics.client as rudderstack
import segment.analytics.client as segment
from ga4mp import FirebaseMP

from daemon import Daemon, same, until

logging.disable(logging.CRITICAL)
INSTANCE = "0123456789abcdef0123456789abcdef"


# MARK: All calls of the SDKs


def segment_family(module, app, **more):
    problems = []
    client = module.Client(app.keys["ingest"], host=app.daemon.url, on_error=lambda error, _: problems.append(error), **more)
    client.track("ann", "Song Played", {"title": "x", "list": [1, {"a": None}], "broken": float("nan")}, context={"os": {"name": "iOS"}})
    client.track(user_id="ann", event="Order Completed", properties={"order_id": 7, "total": 27.5, "currency": "USD", "products": [{"sku": "m", "price": 9}]})
    client.page(anonymous_id="laptop", category="Docs", name="Prices", properties={"url": "/prices"})
    client.screen("ann", name="Home")
    client.identify("ann", {"tier": "gold", "age": 7}, anonymous_id="laptop")
    client.group("ann", "company", {"size": 3})
    client.alias("tablet", "ann")
    client.track(anonymous_id="tablet", event="Song Played")
    if not more.get("sync_mode"):
        client.flush()
        client.join()
    same(problems, [], "refused")
    same(app.names(), {"Song Played": 2, "purchase": 1, "page_view": 1, "screen_view": 1, "identify": 1, "alias": 1}, "events")
    same(app.people(), 1, "people")
    same(app.properties("ann"), {"tier": "gold", "age": 7, "group": "company", "group_size": 3}, "properties")
    same([(c["currency"], c["gross"]) for c in app.get("/v1/query/revenue", **{"from": "-2d"})["currencies"]], [("USD", "27.5")], "revenue")
    same(app.quarantined(), [], "quarantine")


def post_hog(app, mode):
    problems = []
    client = posthog.Posthog(app.keys["ingest"], host=app.daemon.url, capture_mode=mode, on_error=lambda error, *_: problems.append(error))
    client.capture("plain", distinct_id="ann", properties={"a": 1, "deep": {"b": [1]}, "$set": {"tier": "gold"}}, groups={"company": "x"})
    client.capture("personless")
    client.capture("$screen", distinct_id="ann", properties={"$screen_name": "Home"})
    client.capture("$identify", distinct_id="ann", properties={"$anon_distinct_id": "laptop"})
    client.set(distinct_id="ann", properties={"age": 7})
    earlier = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1)
    client.set_once(distinct_id="ann", properties={"from": "ad", "tier": "silver"}, timestamp=earlier)
    client.set_once(distinct_id="ann", properties={"from": "friend"})
    client.alias("tablet", "ann")
    client.capture("plain", distinct_id="tablet", properties={"$device_id": "tablet"})
    client.group_identify("company", "x", {"size": 3})
    try:
        try:
            {}["key"]
        except KeyError as error:
            raise ValueError("outer") from error
    except ValueError as error:
        client.capture_exception(error, distinct_id="ann")
    same(client.get_all_flags("ann"), {}, "flags")
    client.flush()
    client.shutdown()
    same(problems, [], "refused")
    names = {"plain": 2, "personless": 1, "screen_view": 1, "$identify": 1, "$create_alias": 1, "$groupidentify": 1}
    same(app.names(), names, "events")
    same(app.people(), 1, "people")
    same(app.properties("ann"), {"tier": "gold", "age": 7, "from": "ad"}, "properties")
    issues = app.get("/v1/issues")["items"]
    same([(i["count"], i["users"]) for i in issues], [(1, 1)], "issues")
    assert "ValueError" in issues[0]["title"], issues
    same(app.quarantined(), [], "quarantine")


def tracker(app):
    tracker = FirebaseMP(api_secret=app.keys["ingest"], firebase_app_id="1:1234:ios:abcd", app_instance_id=INSTANCE)
    tracker._base_domain = app.daemon.url + "/mp/collect"
    tracker._validation_domain = app.daemon.url + "/debug/mp/collect"
    return tracker


def event(client, name):
    made = client.create_new_event(name)
    made.set_event_param("level", 1)
    return made


def google(app):
    client = tracker(app)
    client.store.set_user_property("plan", "gold")
    purchase = client.create_new_event("purchase")
    for name, value in {"value": 27.5, "currency": "USD", "transaction_id": "t"}.items():
        purchase.set_event_param(name, value)
    item = purchase.create_new_item("sku", "Mug")
    item.set_parameter("price", 9)
    purchase.add_item_to_event(item)
    client.send([purchase], validation_hit=True)
    same(app.names(), {}, "events that were only validated")
    client.send([purchase] + [event(client, "level_up") for _ in range(30)])
    same(app.names(), {"purchase": 1, "level_up": 30}, "events")
    same(app.properties(INSTANCE, by="installation"), {"plan": "gold"}, "properties")
    same([(c["currency"], c["gross"]) for c in app.get("/v1/query/revenue", **{"from": "-2d"})["currencies"]], [("USD", "27.5")], "revenue")
    same(app.quarantined(), [], "quarantine")


# MARK: Failures


def senders(app):
    """The SDKs that retry, with a function that sends one event and one that ends."""
    url, key = app.daemon.url, app.keys["ingest"]
    for mode in ("v0", "v1"):
        client = posthog.Posthog(key, host=url, capture_mode=mode, max_retries=10, flush_interval=0.05)
        yield f"posthog {mode}", lambda name, client=client: client.capture(name, distinct_id="ann"), client.shutdown
    for name, module in (("segment", segment), ("rudder", rudderstack)):
        client = module.Client(key, host=url)
        yield name, lambda event, client=client: client.track("ann", event), lambda client=client: (client.flush(), client.join())


def limited(app):
    """Exceeds a key's rate: each SDK must wait as told."""
    for number, (name, send, end) in enumerate(senders(app)):
        app.limit(6_000 + number)
        for _ in range(6_300):
            send(name)
        end()
        same(app.names()[name], 6_300, f"{name} past its rate")
    app.limit(0)


def refused_once(app):
    """An SDK without retries gets 429 above the rate; acknowledged events are stored."""
    client, answered, refused = tracker(app), 0, 0
    app.limit(20)
    for _ in range(40):
        try:
            client.send([event(client, "limited")])
            answered += 1
        except urllib.error.HTTPError as error:
            same(error.code, 429, "status past its rate")
            assert int(error.headers["Retry-After"]) > 0
            refused += 1
    app.limit(0)
    same(app.names()["limited"], answered, "ga4mp past its rate")
    assert answered >= 20 and refused > 0, (answered, refused)


def interrupted(app, how):
    """Restarts the daemon while the SDKs send."""
    sdks, sent = list(senders(app)), {}

    def run(name, send, end):
        for number in range(1_500):
            send(f"{name} {how.name}")
            sent[name] = number + 1
            time.sleep(0.001)
        end()

    threads = [threading.Thread(target=run, args=sdk) for sdk in sdks]
    for thread in threads:
        thread.start()
    for share in (300, 900):
        until(lambda: len(sent) == len(sdks) and min(sent.values()) > share, "sending")
        app.daemon.stop(how)
        app.daemon.start()
    for thread in threads:
        thread.join(timeout=300)
        assert not thread.is_alive(), "an SDK does not end"
    for name, _, _ in sdks:
        same(app.names().get(f"{name} {how.name}"), 1_500, f"{name} over {how.name}")


def never_again(app):
    """An SDK without retries has its acknowledged events stored once, and unanswered ones at most once."""
    client, answered, asked = tracker(app), 0, 0
    for number in range(60):
        if number == 30:
            app.daemon.stop(signal.SIGKILL)
        asked += 1
        try:
            client.send([event(client, "again")])
            answered += 1
        except (OSError, http.client.HTTPException):
            if app.daemon.process.poll() is not None:
                app.daemon.start()
    counted = app.names()["again"]
    assert answered <= counted <= asked and answered >= 58, (answered, counted, asked)


def main(program):
    daemon = Daemon(program)
    try:
        segment_family(segment, daemon.app("segment"))
        segment_family(segment, daemon.app("segment-gzip"), gzip=True)
        segment_family(segment, daemon.app("segment-sync"), sync_mode=True)
        segment_family(rudderstack, daemon.app("rudder"))
        for mode in ("v0", "v1"):
            post_hog(daemon.app(f"posthog-{mode}"), mode)
        google(daemon.app("google"))
        print("integrations: everything arrived as it was sent by ga4mp, segment-analytics-python, rudder-sdk-python and posthog", flush=True)
        limited(daemon.app("limited"))
        refused_once(daemon.app("refused"))
        trouble = daemon.app("trouble")
        for how in (signal.SIGTERM, signal.SIGKILL):
            interrupted(trouble, how)
        never_again(trouble)
        print("integrations: past a rate and over restarts and kills nothing was lost or doubled", flush=True)
    finally:
        daemon.stop(signal.SIGTERM)


main(sys.argv[1])
