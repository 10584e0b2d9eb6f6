# SPDX-License-Identifier: Apache-2.0

"""Browser builds of the products' clients, unmodified, in pages of another origin: everything must arrive once."""

import functools

from browser_accounts import firebase_auth
from browser_documents import firestore_lite
from browser_files import storage
from browser_functions import functions
from daemon import same, until
from visit import Visit

# How a bundle is recognized, whatever its name.
SIGNS = {
    "posthog": [b"__ph_opt_in_out_", b"_i"],
    "sentry": [b"sentry.javascript", b"captureException"],
    "segment": [b"ajs_anonymous_id", b"next-integrations"],
    "rudderstack": [b"rl_anonymous_id", b"sourceConfig"],
    # With firebase-app-compat.js in the same folder.
    "firebase_auth": [b"identitytoolkit.googleapis.com", b"onAuthStateChanged", b"auth-compat"],
    # With firebase-app-compat.js and firebase-auth-compat.js in the same folder.
    "firebase_storage": [b"firebasestorage.googleapis.com", b"storage-compat"],
    "firebase_functions": [b".cloudfunctions.net", b"functions-compat"],
    # With firebase-app.js in the same folder.
    "firestore_lite": [b"firestore.googleapis.com", b"firestore/lite", b"runAggregationQuery"],
}


def steps(browser, site, daemon, folder, sink):
    """One step for each bundle in the folder, and a failing one for each client without a bundle."""
    found = {}
    for client, signs in SIGNS.items():
        bundles = [file for file in sorted(folder.rglob("*.js")) if all(sign in file.read_bytes() for sign in signs)]
        for bundle in bundles:
            name = f"{client} {bundle.relative_to(folder)}"
            more = {"sink": sink} if client == "firebase_auth" else {}
            found[name] = functools.partial(CASES[client], browser, site, daemon, name, str(bundle.relative_to(folder)), **more)
        if not bundles:
            found[client] = functools.partial(_missing, folder, client)
    return found


def _missing(folder, client):
    raise AssertionError(f"{folder} has no browser build of {client}")


def posthog(browser, site, daemon, name, bundle):
    visit = Visit(browser, site, daemon, "posthog", name, bundle)
    page, wanted = visit.page, {"page_view": 1}
    visit.arrives(wanted, "page view")
    first = page.run("posthog.get_distinct_id()")
    page.run("posthog.capture('opened', {price: 9.5, list: [1, {a: null}]})")
    page.click("#buy")
    wanted |= {"opened": 1, "$autocapture": 1}
    visit.arrives(wanted, "capture and autocapture")
    page.run("posthog.identify('ann', {tier: 'gold'}, {from: 'ad'})")
    wanted |= {"$identify": 1}
    visit.arrives(wanted, "identify")
    visit.until(lambda: visit.app.properties("ann").get("tier") == "gold", "properties")
    same(visit.app.properties("ann")["from"], "ad", "first property")
    same(page.run("new Promise(resolve => posthog.onFeatureFlags(flags => resolve(flags)))"), [], "flags")
    assert not page.run("posthog.isFeatureEnabled('beta')"), "a flag is on"
    wanted |= {"$feature_flag_called": 1}
    visit.arrives(wanted, "call of a flag")
    page.go_offline(True)
    page.run("for (let i = 0; i < 3; i++) posthog.capture('offline')")
    visit.until(lambda: page.failures, "sending without a network")
    same(visit.names(), wanted, "while offline")
    page.go_offline(False)
    wanted |= {"offline": 3}
    visit.arrives(wanted, "back online")
    visit.reload()
    same(page.run("posthog.get_distinct_id()"), "ann", "person after a reload")
    page.run("posthog.capture('last')")
    visit.leave()
    wanted |= {"page_view": 2, "$pageleave": 2, "last": 1}
    visit.arrives(wanted, "page leave")
    assert first != "ann" and visit.app.people() == 1, f"{visit.app.people()} people"
    compressed = [r["url"] for r in page.requests.values() if "compression=gzip-js" in r["url"]]
    assert compressed, "nothing was compressed"
    visit.finish()


def sentry(browser, site, daemon, name, bundle):
    visit = Visit(browser, site, daemon, "sentry", name, bundle)
    page = visit.page
    issues = lambda: {issue["title"].split(":")[0]: issue["count"] for issue in visit.app.get("/v1/issues")["items"]}
    sent = {}

    def arrives(script, **more):
        page.run(script)
        sent.update(more)
        visit.until(lambda: issues() == sent, lambda: f"{issues()} instead of {sent}\n{visit.trouble()}")

    page.click("#buy")
    arrives("handled('CartError')", CartError=1)
    arrives("unhandled()", RangeError=1)
    arrives("rejected()", SyntaxError=1)
    found = {issue["title"].split(":")[0]: issue for issue in visit.app.get("/v1/issues")["items"]}
    crash = visit.app.get(f"/v1/issues/{found['CartError']['id']}/events/latest")
    said = [crumb.get("message", "") for crumb in crash["report"]["breadcrumbs"]]
    assert "before CartError" in said and any("buy" in text for text in said), said
    same(crash["release"], "1.2.3", "release")
    if page.run("'makeBrowserOfflineTransport' in Sentry"):
        page.go_offline(True)
        page.run("handled('OfflineError')")
        visit.until(lambda: page.failures, "sending without a network")
        page.go_offline(False)
        arrives("handled('OnlineError')", OfflineError=1, OnlineError=1)
    sessions = visit.names().get("session_start", 0)
    visit.reload()
    visit.until(lambda: visit.names().get("session_start", 0) == sessions + 1, lambda: f"session after a reload: {visit.names()}\n{visit.trouble()}")
    visit.leave()
    total = visit.app.get("/v1/query/crash-free", **{"from": "-2d"})["total"]
    assert total["sessions"] == sessions + 1, total
    same(issues(), sent, "issues")
    visit.finish()


def segment(browser, site, daemon, name, bundle):
    visit = Visit(browser, site, daemon, "segment", name, bundle)
    calls(visit, "analytics", [r["url"] for r in visit.page.requests.values()])


def rudderstack(browser, site, daemon, name, bundle):
    for beacon in "01":
        visit = Visit(browser, site, daemon, "rudderstack", f"{name} {beacon}", bundle, beacon=beacon)
        calls(visit, "rudderanalytics", [r["url"] for r in visit.page.requests.values()], later=beacon == "1")


def calls(visit, client, urls, later=False):
    """The calls that both clients have. With `later` they are sent when the page is left."""
    page, wanted = visit.page, {"Opened": 1, "page_view": 1, "identify": 1, "alias": 1, "purchase": 1}
    page.run(f"{client}.page('Docs', 'Prices')")
    page.run(f"{client}.track('Opened', {{price: 9.5}})")
    page.run(f"{client}.identify('ann', {{tier: 'gold'}})")
    page.run(f"{client}.group('company', {{size: 3}})")
    page.run(f"{client}.alias('ann', 'tablet')")
    page.run(f"{client}.track('Order Completed', {{order_id: 'o1', revenue: 27.5, currency: 'USD'}})")
    if later:
        visit.leave()
    visit.arrives(wanted, "calls")
    same([(c["currency"], c["gross"]) for c in visit.app.get("/v1/query/revenue", **{"from": "-2d"})["currencies"]], [("USD", "27.5")], "revenue")
    visit.until(lambda: visit.app.properties("ann").get("tier") == "gold", "properties")
    if later:
        return visit.finish()
    page.go_offline(True)
    page.run(f"for (let i = 0; i < 3; i++) {client}.track('Offline')")
    same(visit.names(), wanted, "while offline")
    page.go_offline(False)
    wanted |= {"Offline": 3}
    visit.arrives(wanted, "back online")
    visit.reload()
    page.run(f"{client}.track('Again')")
    wanted |= {"Again": 1}
    visit.arrives(wanted, "after a reload")
    same(page.run(f"typeof {client}.user === 'function' ? {client}.user().id() : {client}.getUserId()"), "ann", "user after a reload")
    foreign = [url for url in urls if not url.startswith((visit.app.daemon.url, visit.address.split("/pages")[0], "data:", "about:"))]
    same(foreign, [], "requests to other servers")
    visit.finish()


CASES = {
    "posthog": posthog, "sentry": sentry, "segment": segment, "rudderstack": rudderstack, "firebase_auth": firebase_auth,
    "firebase_storage": storage, "firebase_functions": functions, "firestore_lite": firestore_lite,
}
