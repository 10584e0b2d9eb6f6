# SPDX-License-Identifier: Apache-2.0

"""Groups traps of a release build that the Swift client reports: swift_client.py DAEMON CRASHING_APP.

Each failed check of Swift in each of two functions must be an issue of its own once the symbols are there, and its culprit that function.
Before that, equal traps must not be split.
"""

import subprocess
import sys
import tempfile
import urllib.request

from sentry import Daemon, until

CULPRITS = {
    ("index", "cart"): "Cart.price", ("index", "order"): "Order.line", ("unwrap", "cart"): "Cart.voucher",
    ("unwrap", "order"): "Order.address", ("overflow", "cart"): "Cart.total", ("overflow", "order"): "Order.weight",
    ("cast", "cart"): "Cart.payment", ("cast", "order"): "Order.receipt", ("precondition", "cart"): "Cart.close",
    ("precondition", "order"): "Order.ship", ("isolation", "cart"): "Cart.show", ("isolation", "order"): "Order.show",
}


def crash(daemon, program, *how):
    """Crashes the app, and starts it again so that it sends the report."""
    with tempfile.TemporaryDirectory() as folder:
        start = [program, folder, f"http://127.0.0.1:{daemon.port}", daemon.keys["ingest"], "1.0"]
        ended = subprocess.run([*start, "trap", *how], capture_output=True, timeout=60)
        assert ended.returncode < 0, (how, ended)
        assert subprocess.run([*start, "report"], capture_output=True, timeout=60).stdout == b"crashed=true\n", how


def upload(daemon, program, debug_id):
    request = urllib.request.Request(
        f"http://127.0.0.1:{daemon.port}/v1/symbols/{debug_id}", open(program, "rb").read(),
        {"Authorization": f"Bearer {daemon.keys['admin']}"}, method="PUT")
    with urllib.request.urlopen(request, timeout=60) as response:
        assert response.status == 201


def main(daemon_program, program):
    with tempfile.TemporaryDirectory() as data:
        daemon = Daemon(daemon_program, data)
        try:
            for how in CULPRITS:
                for _ in range(2):
                    crash(daemon, program, *how)
            counts = [issue["count"] for issue in daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]]
            # A check that the compiler made a function of its own, such as that of isolation, joins its callers until it has a name.
            assert all(count % 2 == 0 for count in counts) and len(counts) >= len(CULPRITS) - 2, f"before symbols: {counts}"
            missing = daemon.ask("GET", "/v1/symbols/missing?limit=100", "read")["items"]
            ours = next(item for item in missing if item.get("name", "").endswith("crashing-app"))
            upload(daemon, program, ours["debug_id"])

            def culprits():
                items = daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]
                names = {(item.get("culprit") or "").split("(")[0].removeprefix("crashing_app.").strip() for item in items}
                have_files = all((item.get("culprit") or "").endswith(" (Trap.swift)") for item in items)
                return names if have_files and names == set(CULPRITS.values()) else None

            try:
                until(culprits)
            except AssertionError:
                for item in daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]:
                    print(item["id"], item["count"], item["title"], "|", item.get("culprit"))
                raise
            counts = [issue["count"] for issue in daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]]
            assert counts == [2] * len(CULPRITS), f"after symbols: {counts}"
        finally:
            daemon.end()
    print(f"{len(CULPRITS)} traps of a release build are {len(CULPRITS)} issues once their symbols are there")


if __name__ == "__main__":
    main(*sys.argv[1:])
