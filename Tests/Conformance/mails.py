# SPDX-License-Identifier: Apache-2.0

"""Sends mails of accounts to aiosmtpd, with STARTTLS, AUTH, refusals, hang-ups and kills, and reads them with `email`: mails.py INGESTD."""

import asyncio
import datetime
import email
import email.policy
import html.parser
import ipaddress
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from daemon import Daemon, until

# Another address of this machine, so that the rule for other machines applies: nothing goes out unencrypted.
HOST = "127.0.0.2"
USER, PASSWORD = "shop", "a secret with blanks"


class Mailbox:
    """The server's side: keeps mails and follows a script."""

    def __init__(self):
        self.mails, self.attempts, self.script, self.logins = [], 0, {}, []

    def authenticate(self, server, session, envelope, mechanism, data):
        self.logins.append((mechanism, data.login, data.password))
        return AuthResult(success=(data.login, data.password) == (USER.encode(), PASSWORD.encode()))

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.attempts += 1
        reply = self.script.get("rcpt")
        if reply == "hang up":
            server.transport.close()
        elif reply:
            return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        reply = self.script.get("data")
        if reply and reply != "keep and hang up" and reply != "keep and wait":
            return reply
        self.mails.append((envelope.mail_from, list(envelope.rcpt_tos), email.message_from_bytes(envelope.content, policy=email.policy.default)))
        if reply == "keep and hang up":
            server.transport.close()
        if reply == "keep and wait":
            await asyncio.sleep(30)
        return "250 OK"

    def texts(self, receiver):
        return [message for _, receivers, message in self.mails if receivers == [receiver]]


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.found.append(dict(attributes)["href"])


def certificate(folder, host):
    """Writes a certificate for a host, and returns the server's context and the file to trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256()))
    paths = os.path.join(folder, f"{host}.pem"), os.path.join(folder, f"{host}.key")
    with open(paths[0], "wb") as file:
        file.write(made.public_bytes(serialization.Encoding.PEM))
    with open(paths[1], "wb") as file:
        file.write(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*paths)
    return context, paths[0]


def serve(mailbox, context=None, implicit=False):
    options = {"hostname": HOST, "port": 0, "server_hostname": "sink"}
    if implicit:
        controller = Controller(mailbox, ssl_context=context, authenticator=mailbox.authenticate, auth_require_tls=False, **options)
    elif context:
        controller = Controller(
            mailbox, tls_context=context, require_starttls=True, authenticator=mailbox.authenticate, auth_required=True, **options)
    else:
        controller = Controller(mailbox, **options)
    # Port 0 is chosen by the system, which the controller's own probe of the port does not expect.
    controller._trigger_server = lambda: socket.create_connection((HOST, controller.server.sockets[0].getsockname()[1])).close()
    controller.start()
    return controller, controller.server.sockets[0].getsockname()[1]


class Accounts:
    def __init__(self, program, url, authorities):
        self.program = program
        self.daemon = Daemon(
            program, INGESTD_MODE="production", INGESTD_ACCOUNTS_MAIL_URL=url, INGESTD_ACCOUNTS_MAIL_USER=USER,
            INGESTD_ACCOUNTS_MAIL_PASSWORD=PASSWORD, INGESTD_ACCOUNTS_MAIL_FROM="Grüner Laden <no-reply@shop.example>",
            INGESTD_ACCOUNTS_MAIL_AUTHORITIES=authorities, INGESTD_ACCOUNTS_URL="https://signals.example.org")
        self.app = self.daemon.app("shop")
        self.command("app", "set", str(self.app.id), "auth_methods=password,code", "auth_origins=https://shop.example")

    def command(self, *words):
        command = [self.program, *words, "--data", self.daemon.folder.name]
        return subprocess.run(command, env=self.daemon.environment, check=True, capture_output=True, text=True).stdout

    def post(self, path, **body):
        status, answer = self.daemon.ask("POST", path, self.app.keys["ingest"], body)
        return status, json.loads(answer or b"{}")

    def ask(self, receiver, **body):
        status, answer = self.post("/v1/auth/codes", kind="sign_in", email=receiver, **body)
        assert status == 202, (status, answer)

    def sign_in(self, **body):
        return self.post("/v1/auth/sign-in", method="code", **body)

    def metric(self, line):
        status, text = self.daemon.ask("GET", "/metrics")
        assert status == 200
        found = re.search(f"^{re.escape(line)} (\\S+)$", text.decode(), re.MULTILINE)
        return float(found[1]) if found else 0


def check_mail(accounts, mailbox):
    """Both parts say the same, the headers are right, and link and digits work."""
    accounts.ask("ana@example.org", continue_url="https://shop.example/in?a=b", locale="de")
    until(lambda: mailbox.texts("ana@example.org"), "a mail after STARTTLS and AUTH")
    assert mailbox.logins and mailbox.logins[0][1:] == (USER.encode(), PASSWORD.encode()), mailbox.logins
    sender, _, message = mailbox.mails[0]
    assert sender == "no-reply@shop.example" and message["From"] == "Grüner Laden <no-reply@shop.example>", message["From"]
    assert message["To"] == "ana@example.org" and message["Subject"] == "Anmelden bei shop" and not message.defects, message.items()
    assert message["Date"].datetime and message["Message-ID"].endswith("@shop.example>") and message["Auto-Submitted"] == "auto-generated"
    assert message.get_content_type() == "multipart/alternative"
    text = message.get_body(("plain",)).get_content()
    link = re.search(r"https://\S+", text)[0]
    assert Links(message.get_body(("html",)).get_content()).found == [link], link
    assert link.startswith("https://shop.example/in?a=b&mode=signIn&oobCode="), link
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"][0]
    digits = re.search(r"Code: (\d{4} \d{4})", text)[1]
    status, session = accounts.sign_in(code=digits, email="ana@example.org")
    assert status == 201 and session["user"]["email_verified"], session
    assert accounts.sign_in(code=code)[0] == 422, "the link works after the digits were used"


def check_refusals(accounts, mailbox):
    for script, result in (
        ({"rcpt": "550 no such user"}, "rejected"), ({"rcpt": "450 greylisted"}, "deferred"), ({"rcpt": "hang up"}, "deferred"),
        ({"data": "554 spam"}, "rejected"), ({"data": "452 full"}, "deferred"), ({"data": "keep and hang up"}, "unknown"),
    ):
        line = f'signalbox_mail_attempts_total{{result="{result}"}}'
        before, mailbox.script = accounts.metric(line), script
        accounts.ask(f"refused{len(mailbox.mails)}-{time.monotonic_ns()}@example.org")
        until(lambda: accounts.metric(line) == before + 1, lambda: f"{script} is counted as {result}")
    mailbox.script = {}


def check_injection(accounts, mailbox):
    """Addresses with line ends and other commands are refused by every route that takes one, and reach nobody."""
    firebase = f"/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key={accounts.app.keys['ingest']}"
    before = mailbox.attempts
    for end in ("\r\n", "\n", "\r", "\u2028", "\0"):
        for address in (f"eve@example.org{end}RCPT TO:<mallory@example.org>", f"eve{end}@example.org", f"eve@example.org>{end}DATA{end}Subject: x"):
            for path, body in (
                ("/v1/auth/codes", {"kind": "sign_in", "email": address}), ("/v1/auth/codes", {"kind": "reset_password", "email": address}),
                (firebase, {"requestType": "PASSWORD_RESET", "email": address}),
                (firebase, {"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "https://shop.example/"}),
                ("/v1/auth/sign-up", {"email": address, "password": "correct horse battery staple"}),
            ):
                status, answer = accounts.post(path, **body)
                assert status in (400, 422), (path, address, status, answer)
    accounts.ask("dora@example.org")
    until(lambda: mailbox.texts("dora@example.org"), "the mail of an address without tricks")
    assert mailbox.attempts == before + 1 and not mailbox.texts("mallory@example.org"), mailbox.attempts - before


def check_kill(accounts, mailbox):
    """A daemon that is killed once the server has the mail does not send it again."""
    mailbox.script = {"data": "keep and wait"}
    accounts.ask("bob@example.org")
    until(lambda: mailbox.texts("bob@example.org"), "the mail at the server")
    accounts.daemon.stop(9)
    mailbox.script = {}
    accounts.daemon.start()
    accounts.ask("carol@example.org")
    until(lambda: mailbox.texts("carol@example.org"), "a mail after the restart")
    assert len(mailbox.texts("bob@example.org")) == 1
    digits = re.search(r"Code: (\d{4} \d{4})", mailbox.texts("bob@example.org")[0].get_body(("plain",)).get_content())[1]
    assert accounts.sign_in(code=digits, email="bob@example.org")[0] == 201


def check_encryption(program, authorities, folder):
    """Nothing reaches a server without STARTTLS, one with the certificate of another host, or one that nobody vouches for."""
    foreign, trusted = certificate(folder, "127.0.0.9")
    # In a folder of its own, as the file of a certificate is named by its host.
    unknown = os.path.join(folder, "unknown")
    os.mkdir(unknown)
    own, _ = certificate(unknown, HOST)
    for context, file in ((None, authorities), (foreign, trusted), (own, authorities)):
        mailbox = Mailbox()
        controller, port = serve(mailbox, context)
        accounts = Accounts(program, f"smtp://{HOST}:{port}", file)
        try:
            accounts.ask("ana@example.org")
            until(lambda: accounts.metric('signalbox_mail_attempts_total{result="deferred"}') == 1, "an attempt")
            assert not mailbox.mails and not mailbox.attempts and not mailbox.logins, "something was sent"
        finally:
            accounts.daemon.stop(15)
            controller.stop()


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        context, authorities = certificate(folder, HOST)
        for implicit in (False, True):
            mailbox = Mailbox()
            controller, port = serve(mailbox, context, implicit)
            accounts = Accounts(program, f"{'smtps' if implicit else 'smtp'}://{HOST}:{port}", authorities)
            try:
                check_mail(accounts, mailbox)
                if not implicit:
                    check_refusals(accounts, mailbox)
                    check_injection(accounts, mailbox)
                    check_kill(accounts, mailbox)
            finally:
                accounts.daemon.stop(15)
                controller.stop()
        check_encryption(program, authorities, folder)
    print("mails: aiosmtpd took them with STARTTLS, TLS and AUTH, once each, and `email` read them")


main(sys.argv[1])
