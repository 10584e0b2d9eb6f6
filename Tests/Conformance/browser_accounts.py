# SPDX-License-Identifier: Apache-2.0

"""Firebase's SDK for accounts in a page of another origin, pointed to the daemon as to an emulator."""

import signal

from daemon import same
from sink import code
from visit import Visit

ANA, PASSWORD = "ana@example.org", "correct horse battery staple"
# The word of a wrong password in releases before and since 10.12.
WRONG = ("auth/invalid-login-credentials", "auth/invalid-credential")
EXPIRED = "auth/user-token-expired"


class Users:
    """A page with the SDK, and what its user does."""

    def __init__(self, browser, site, daemon, name, bundle, sink):
        self.browser, self.daemon, self.sink = browser, daemon, sink
        self.visit = Visit(browser, site, daemon, "firebase_auth", name, bundle)
        self.page, self.app = self.visit.page, self.visit.app
        self.origin = self.visit.address.split("/pages")[0]
        self.app.set(project="old-shop-1a2b", auth_methods=["password", "anonymous", "code"], auth_origins=[self.origin])

    def state(self, page=None):
        script = "(user => user && {uid: user.uid, email: user.email, anonymous: user.isAnonymous, verified: user.emailVerified})(firebase.auth().currentUser)"
        return (page or self.page).run(script)

    def call(self, script):
        """Waits for a call of the SDK, whose error is one of this check."""
        self.page.run(f"firebase.auth().{script}.then(() => 1)")

    def refused(self, script):
        return self.page.run(f"firebase.auth().{script}.then(() => 'done', error => error.code)")

    def until(self, condition, what):
        self.visit.until(condition, what)

    def sign_in(self, email=ANA, password=PASSWORD):
        return f"signInWithEmailAndPassword('{email}', '{password}')"

    def expects_end(self, what):
        """The session has ended. The SDK would sign the user out by itself, but minified builds have lost an `await`, so the page does it."""
        same(self.refused("currentUser.getIdToken(true)"), EXPIRED, what)
        self.call("signOut()")
        same(self.state(), None, f"user after {what}")

    def next_minute(self):
        """A new process knows nothing of the mails that the old one sent, of which an address gets one a minute."""
        self.daemon.stop(signal.SIGTERM)
        self.daemon.start()

    def open_link(self, email, mode, password=None):
        """Opens the link of a mail, as its reader does, and presses the button of the page."""
        page = self.browser.page()
        page.open(self.sink.link(email, mode))
        before = page.run("document.body.innerText")
        if password:
            page.run(f"document.querySelector('[name=new_password]').value = '{password}'")
        page.click("button")
        self.until(lambda: page.run("document.readyState === 'complete' && !document.querySelector('button')"), lambda: f"{mode}: {before}")
        same(page.rejected(self.daemon.url), [], f"page of {mode}")
        page.close()


def firebase_auth(browser, site, daemon, name, bundle, sink):
    users = Users(browser, site, daemon, name, bundle, sink)
    first = check_link_and_reload(users)
    check_two_tabs(users)
    check_refusals(users, first)
    check_changes(users)
    check_mails(users)
    users.call(users.sign_in("ana@new.example"))
    users.call("currentUser.delete()")
    assert users.refused(users.sign_in("ana@new.example")) in WRONG, "deleted user"
    urls = [request["url"] for request in users.page.requests.values()]
    same([url for url in urls if not url.startswith((daemon.url, users.origin, "data:", "about:", "blob:"))], [], "requests to other servers")
    users.page.close()


def check_link_and_reload(users):
    """Anonymously, then with an address: the ID stays, over a reload too. Returns the user."""
    page = users.page
    users.call("signInAnonymously()")
    first = users.state()
    assert first["anonymous"], first
    users.call(f"currentUser.linkWithCredential(firebase.auth.EmailAuthProvider.credential('{ANA}', '{PASSWORD}'))")
    same(users.state(), {"uid": first["uid"], "email": ANA, "anonymous": False, "verified": False}, "linked user")
    users.visit.reload()
    users.until(lambda: users.state() is not None, "the user after a reload")
    same(users.state()["uid"], first["uid"], "user after a reload")
    tokens = page.run("(async () => { const user = firebase.auth().currentUser; const old = await user.getIdToken(); "
                      "await new Promise(done => setTimeout(done, 1100)); return [old, await user.getIdToken(true)]; })()")
    assert tokens[0] != tokens[1] and tokens[1], "no new token"
    users.call("currentUser.updateProfile({displayName: 'Ana'})")
    users.call("currentUser.reload()")
    same(page.run("firebase.auth().currentUser.displayName"), "Ana", "name")
    same(page.run("firebase.auth().currentUser.getIdTokenResult().then(result => result.claims.user_id)"), first["uid"], "claims")
    return first


def check_two_tabs(users):
    """A second tab of the same browser sees the user, and the end of the session."""
    other = users.browser.page(beside=users.page)
    other.open(users.visit.address)
    users.until(
        lambda: other.run("window.isLoaded === true") and users.state(other) is not None, lambda: f"second tab: {other.trouble(users.daemon.url)}")
    other.run("firebase.auth().currentUser.getIdToken(true).then(() => 1)")
    users.call("currentUser.getIdToken(true)")
    users.call("signOut()")
    users.until(lambda: users.state(other) is None, "sign-out in the second tab")
    other.close()


def check_refusals(users, first):
    assert users.refused(users.sign_in(password="wrong horse")) in WRONG, "wrong password"
    same(users.refused(f"createUserWithEmailAndPassword('{ANA}', 'another good password')"), "auth/email-already-in-use", "taken")
    same(users.refused("createUserWithEmailAndPassword('bo@example.org', 'short')"), "auth/weak-password", "weak")
    same(users.page.run(f"firebase.auth().fetchSignInMethodsForEmail('{ANA}')"), [], "methods")
    users.call(users.sign_in())
    same(users.state()["uid"], first["uid"], "user")
    # An administrator ends the session: the next call signs the user out.
    users.app.post(f"/v1/auth/accounts/{first['uid']}/sign-out")
    users.expects_end("sign-out by an administrator")


def check_changes(users):
    """A user is created, changes the password and proves it again; the old password is wrong afterwards."""
    users.call("createUserWithEmailAndPassword('bo@example.org', 'a first good password')")
    users.call("currentUser.updatePassword('a second good password')")
    users.call("currentUser.getIdToken(true)")
    proof = "currentUser.reauthenticateWithCredential(firebase.auth.EmailAuthProvider.credential('bo@example.org', '{}'))"
    assert users.refused(proof.format("a first good password")) in WRONG, "old password"
    users.call(proof.format("a second good password"))
    users.call("currentUser.delete()")


def check_mails(users):
    """Links of mails prove an address, set a password, change the address, and sign in. Each is used once."""
    users.call(users.sign_in())
    users.call("currentUser.sendEmailVerification()")
    users.open_link(ANA, "verifyEmail")
    users.call("currentUser.reload()")
    assert users.state()["verified"], "not verified"
    same(users.refused(f"sendPasswordResetEmail('{ANA}')"), "auth/too-many-requests", "second mail in a minute")
    users.next_minute()
    users.call(f"sendPasswordResetEmail('{ANA}')")
    users.open_link(ANA, "resetPassword", "a third good password")
    users.expects_end("reset on the page")
    assert users.refused(users.sign_in()) in WRONG, "password before the reset"
    users.call(users.sign_in(password="a third good password"))
    # An app that has a page of its own uses the code itself.
    users.next_minute()
    users.call(f"sendPasswordResetEmail('{ANA}')")
    text = code(users.sink.link(ANA, "resetPassword"))
    same(users.page.run(f"firebase.auth().checkActionCode('{text}').then(info => [info.operation, info.data.email])"), ["PASSWORD_RESET", ANA], "code")
    same(users.page.run(f"firebase.auth().verifyPasswordResetCode('{text}')"), ANA, "address of the code")
    users.call(f"confirmPasswordReset('{text}', '{PASSWORD}')")
    same(users.refused(f"confirmPasswordReset('{text}', '{PASSWORD}')"), "auth/invalid-action-code", "a code twice")
    users.expects_end("reset in the app")
    users.call(users.sign_in())
    users.next_minute()
    users.call("currentUser.verifyBeforeUpdateEmail('ana@new.example')")
    users.open_link("ana@new.example", "verifyAndChangeEmail")
    users.call("signOut()")
    check_email_link(users)


def check_email_link(users):
    """The link of a mail signs a new user in, at the page of the app that it names."""
    page, address = users.page, "cy@example.org"
    users.next_minute()
    users.call(f"sendSignInLinkToEmail('{address}', {{url: '{users.origin}/pages/firebase_auth.html', handleCodeInApp: true}})")
    link = users.sink.link(address, "signIn")
    assert link.startswith(f"{users.origin}/pages/firebase_auth.html?"), link
    assert page.run(f"firebase.auth().isSignInWithEmailLink('{link}')"), link
    same(page.run(f"firebase.auth().signInWithEmailLink('{address}', '{link}').then(made => made.additionalUserInfo.isNewUser)"), True, "new user")
    same((users.state()["email"], users.state()["verified"]), (address, True), "user of the link")
    same(users.refused(f"signInWithEmailLink('{address}', '{link}')"), "auth/invalid-action-code", "a link twice")
    users.call("currentUser.delete()")
    check_linked_email_link(users)


def check_linked_email_link(users):
    """The link of a mail gives an anonymous user the address; the ID stays, over a reload too. Another user's address is told."""
    page, credential = users.page, "firebase.auth.EmailAuthProvider.credentialWithLink('{}', '{}')"

    def link(address):
        users.call(f"sendSignInLinkToEmail('{address}', {{url: '{users.origin}/pages/firebase_auth.html', handleCodeInApp: true}})")
        return credential.format(address, users.sink.link(address, "signIn"))

    users.call("signInAnonymously()")
    first = users.state()
    users.call(f"currentUser.linkWithCredential({link('dan@example.org')})")
    same(users.state(), {"uid": first["uid"], "email": "dan@example.org", "anonymous": False, "verified": True}, "user of a linked link")
    users.visit.reload()
    users.until(lambda: users.state() is not None, "the user after a reload")
    same(users.state()["uid"], first["uid"], "user after a reload")
    same(page.run("firebase.auth().currentUser.getIdToken(true).then(() => 1)"), 1, "a new token")
    users.call("signOut()")
    users.next_minute()
    users.call("signInAnonymously()")
    taken = link("dan@example.org")
    same(users.refused(f"currentUser.linkWithCredential({taken})"), "auth/email-already-in-use", "another user's address")
    users.call("currentUser.delete()")
    users.call(f"signInWithCredential({taken})")
    same(users.state()["uid"], first["uid"], "user of the link")
    users.call("currentUser.delete()")
