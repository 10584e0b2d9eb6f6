# SPDX-License-Identifier: Apache-2.0

"""Browser builds of the products' clients, unmodified, in pages of another origin: everything must arrive once."""

import functools
import urllib.parse

from daemon import same, until

# How a bundle is recognized, whatever its name.
SIGNS = {
    "posthog": [b"__ph_opt_in_out_", b"_i"],
    "sentry": [b"sentry.javascript", b"captureException"],
    "segment": [b"ajs_anonymous_id", b"next-integrations"],
    "rudderstack": [b"rl_anonymous_id", b"sourceConfig"],
    # With firebase-app-compat.js in the same folder.
    "firebase_auth": [b"identitytoolkit.googleapis.com", b"onAuthStateChanged", b"auth-compat"],
}


def steps(browser, site, daemon, folder):
    """One step for each bundle in the folder, and a failing one for each client without a bundle."""
    found = {}
    for client, signs in SIGNS.items():
        bundles = [file for file in sorted(folder.rglob("*.js")) if all(sign in file.read_bytes() for sign in signs)]
        for bundle in bundles:
            name = f"{client} {bundle.relative_to(folder)}"
            found[name] = functools.partial(CASES[client], browser, site, daemon, name, str(bundle.relative_to(folder)))
        if not bundles:
            found[client] = functools.partial(_missing, folder, client)
    return found


def _missing(folder, client):
    raise AssertionError(f"{folder} has no browser build of {client}")


class Visit:
    """A page with a client, of an app of its own."""

    def __init__(self, browser, site, daemon, client, name, bundle, **more):
        self.app, self.page = daemon.app(name.replace("/", "-")), browser.page()
        query = {"daemon": daemon.url, "key": self.app.keys["ingest"], "app": self.app.id, "bundle": bundle, **more}
        self.address = f"{site.origin()}/pages/{client}.html?{urllib.parse.urlencode(query)}"
        self.open()

    def open(self):
        self.page.open(self.address)
        self.ready()

    def reload(self):
        self.page.reload()
        self.ready()

    def ready(self):
        self.until(lambda: self.page.run("window.isLoaded === true"), lambda: f"the client does not start, {self.trouble()}")

    def leave(self):
        self.page.open("about:blank")

    def trouble(self):
        return self.page.trouble(self.app.daemon.url)

    def until(self, condition, what):
        until(condition, what, seconds=40)

    def names(self):
        return self.app.names()

    def arrives(self, wanted, what):
        """Waits for the events, and checks that there are no others."""
        self.until(lambda: all(self.names().get(name, 0) >= count for name, count in wanted.items()),
                   lambda: f"{what}: {self.names()} instead of {wanted}\n{self.trouble()}")
        same(self.names(), wanted, what)

    def finish(self):
        same(self.app.quarantined(), [], "quarantine")
        same(self.page.rejected(self.app.daemon.url), [], "rejected requests")
        self.page.close()


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


def firebase_auth(browser, site, daemon, name, bundle):
    """Users of Firebase's SDK, which is pointed to the daemon as to an emulator."""
    visit = Visit(browser, site, daemon, "firebase_auth", name, bundle)
    page, password = visit.page, "correct horse battery staple"
    visit.app.set(project="old-shop-1a2b", auth_methods=["password", "anonymous"])
    state = lambda page=page: page.run("(user => user && {uid: user.uid, email: user.email, anonymous: user.isAnonymous})(firebase.auth().currentUser)")

    def refused(script):
        return page.run(f"{script}.then(() => 'done', error => error.code)")

    # Anonymously, then with an address: the ID stays.
    page.run("firebase.auth().signInAnonymously().then(() => 1)")
    first = state()
    assert first["anonymous"], first
    page.run(f"firebase.auth().currentUser.linkWithCredential(firebase.auth.EmailAuthProvider.credential('ana@example.org', '{password}')).then(() => 1)")
    same(state(), {"uid": first["uid"], "email": "ana@example.org", "anonymous": False}, "linked user")
    # The session survives a reload, and a forced refresh gives another token.
    visit.reload()
    visit.until(lambda: state() is not None, "the user after a reload")
    same(state()["uid"], first["uid"], "user after a reload")
    tokens = page.run("(async () => { const user = firebase.auth().currentUser; const old = await user.getIdToken(); "
                      "await new Promise(done => setTimeout(done, 1100)); return [old, await user.getIdToken(true)]; })()")
    assert tokens[0] != tokens[1] and tokens[1], "no new token"
    page.run("firebase.auth().currentUser.updateProfile({displayName: 'Ana'}).then(() => 1)")
    page.run("firebase.auth().currentUser.reload().then(() => 1)")
    same(page.run("firebase.auth().currentUser.displayName"), "Ana", "name")
    same(page.run("firebase.auth().currentUser.getIdTokenResult().then(result => result.claims.user_id)"), first["uid"], "claims")
    # A second tab of the same browser sees the user, and the end of the session.
    other = browser.page(beside=page)
    other.open(visit.address)
    visit.until(lambda: other.run("window.isLoaded === true") and state(other) is not None, lambda: f"second tab: {other.trouble(daemon.url)}")
    other.run("firebase.auth().currentUser.getIdToken(true).then(() => 1)")
    page.run("firebase.auth().currentUser.getIdToken(true).then(() => 1)")
    page.run("firebase.auth().signOut().then(() => 1)")
    visit.until(lambda: state(other) is None, "sign-out in the second tab")
    other.close()
    sign_in = f"firebase.auth().signInWithEmailAndPassword('ana@example.org', '{password}')"
    # The word of a wrong password in releases before and since 10.12.
    wrong = ("auth/invalid-login-credentials", "auth/invalid-credential")
    assert refused(sign_in.replace(password, "wrong horse")) in wrong, "wrong password"
    same(refused("firebase.auth().createUserWithEmailAndPassword('ana@example.org', 'another good password')"), "auth/email-already-in-use", "taken")
    same(refused("firebase.auth().createUserWithEmailAndPassword('bo@example.org', 'short')"), "auth/weak-password", "weak")
    same(page.run("firebase.auth().fetchSignInMethodsForEmail('ana@example.org')"), [], "methods")
    page.run(f"{sign_in}.then(() => 1)")
    same(state()["uid"], first["uid"], "user")
    # An administrator ends the session: the next call signs the user out.
    visit.app.post(f"/v1/auth/accounts/{first['uid']}/sign-out")
    same(refused("firebase.auth().currentUser.getIdToken(true)"), "auth/user-token-expired", "ended session")
    visit.until(lambda: state() is None, "the user after the session ended")
    page.run(f"{sign_in}.then(() => 1)")
    page.run("firebase.auth().currentUser.delete().then(() => 1)")
    assert refused(sign_in) in wrong, "deleted user"
    foreign = [r["url"] for r in page.requests.values() if not r["url"].startswith((daemon.url, visit.address.split("/pages")[0], "data:", "about:", "blob:"))]
    same(foreign, [], "requests to other servers")
    page.close()


CASES = {"posthog": posthog, "sentry": sentry, "segment": segment, "rudderstack": rudderstack, "firebase_auth": firebase_auth}
