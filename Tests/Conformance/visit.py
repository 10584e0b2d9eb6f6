# SPDX-License-Identifier: Apache-2.0

"""A page with a product's client, and the app that it sends to."""

import urllib.parse

from daemon import same, until


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
