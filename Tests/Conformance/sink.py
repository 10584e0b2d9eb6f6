# SPDX-License-Identifier: Apache-2.0

"""A small mail server that keeps what it takes, for checks in environments without aiosmtpd."""

import email
import email.policy
import re
import socketserver
import threading
import urllib.parse

from daemon import until


class Sink(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self):
        self.mails, self.taken = [], set()
        super().__init__(("127.0.0.1", 0), _Session)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def settings(self):
        """Settings of a daemon that sends to this server."""
        return {"INGESTD_ACCOUNTS_MAIL_URL": f"smtp://127.0.0.1:{self.server_address[1]}", "INGESTD_ACCOUNTS_MAIL_FROM": "Shop <no-reply@shop.example>"}

    def link(self, receiver, mode):
        """Waits for a mail to an address with a link of a mode, such as `resetPassword`, and returns the link. Each is returned once."""
        def found():
            texts = [mail.get_body(("plain",)).get_content() for mail in list(self.mails) if mail["To"] == receiver]
            links = [link for text in texts for link in re.findall(r"https?://\S+", text) if f"mode={mode}&" in link]
            return [link for link in links if link not in self.taken]

        until(found, f"a mail to {receiver} for {mode}")
        link = found()[0]
        self.taken.add(link)
        return link


def code(link):
    """Returns the code of a link."""
    return urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"][0]


class _Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.say("220 sink")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.say("354 go on")
                text = b""
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    text += line.removeprefix(b".") if line.startswith(b"..") else line
                self.server.mails.append(email.message_from_bytes(text, policy=email.policy.default))
            self.say("221 bye" if word == b"QUIT" else "250 OK")
            if word == b"QUIT":
                break

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")
