# SPDX-License-Identifier: Apache-2.0

"""Groups failed checks of Swift in reports of Apple's devices: apple.py DAEMON.

The compiler inlines a failed check into the function that fails it, so that the first frames of all such reports are equal. Each function
must be an issue of its own, in both formats, whatever check failed in it, in which build and below which inlined functions of the library.
"""

import datetime
import json
import pathlib
import sys
import tempfile
import urllib.request
import uuid

from sentry import Daemon

FIXTURES = pathlib.Path(__file__).parent.parent / "Fixtures/crashes"
CHECKS = {
    "Index out of range": ["specialized Array._checkSubscript(_:wasNativeTypeChecked:)", "specialized Array.subscript.getter"],
    "arithmetic overflow": [],
    "Unexpectedly found nil while unwrapping an Optional value": [],
    "Division by zero": ["static Int./ infix(_:_:)"],
    "Not enough bits to represent the passed value": ["Int32.init<A>(_:)"],
    "precondition failure": [],
}
FUNCTIONS = {
    "Cart.price(at:)": "Cart.swift", "Order.line(_:)": "Order.swift", "closure #1 in Cart.total()": "Cart.swift",
    "specialized Basket.merge(_:)": "Basket.swift", "@objc ShopView.reload()": "ShopView.swift",
}
CALLERS = [("closure #1 in ShopView.body.getter", "ShopView.swift"), ("main", None)]


def time():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S.0000 +0000")


def ips(check, function, build):
    """The format of iOS 15 and later, as a developer's tools complete it."""
    head, body = (FIXTURES / "thrown.ips").read_text().split("\n", 1)
    head, body = json.loads(head), json.loads(body)
    for name in ("lastExceptionBacktrace", "asi", "exceptionReason"):
        body.pop(name)
    identifier = str(uuid.uuid4()).upper()
    head |= {"incident_id": identifier, "timestamp": time(), "build_version": str(build)}
    offset = 18_972 + 16 * build
    inlined = [f"Swift runtime failure: {check}", *CHECKS[check]]
    frames = [{"imageOffset": offset, "imageIndex": 0, "symbol": name, "inline": True, "sourceFile": "/<compiler-generated>"} for name in inlined]
    for place, (name, file) in enumerate([(function, FUNCTIONS[function]), *CALLERS]):
        source = {"sourceFile": file, "sourceLine": 40 + build} if file else {}
        frames.append({"imageOffset": offset + place * 100, "imageIndex": 0, "symbol": name, "symbolLocation": 12, **source})
    body |= {
        "incident": identifier, "captureTime": time(), "faultingThread": 0, "threads": [{"triggered": True, "id": 7, "frames": frames}],
        "exception": {"type": "EXC_BREAKPOINT", "signal": "SIGTRAP", "codes": "0x1, 0x102f04a1c"}}
    return json.dumps(head) + "\n" + json.dumps(body)


def text(check, function, build):
    """The format of earlier versions."""
    place, lines = 0x102F00000 + 18_972 + 16 * build, []
    for line in (FIXTURES / "access.crash").read_text().splitlines():
        if line.startswith("Incident Identifier"):
            line = f"Incident Identifier: {str(uuid.uuid4()).upper()}"
        elif line.startswith("Date/Time"):
            line = f"Date/Time:           {time()}"
        elif line.startswith("Exception Type"):
            line = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)"
        elif line.startswith("0   Shop Extra"):
            names = [f"Swift runtime failure: {check} + 0 (<compiler-generated>:0) [inlined]"]
            names += [f"{name} + 0 (<compiler-generated>:0) [inlined]" for name in CHECKS[check]]
            names += [f"{name} + {28 + build}" + (f" ({file}:{40 + build})" if file else "") for name, file in [(function, FUNCTIONS[function]), *CALLERS]]
            lines += [f"{number}   Shop Extra                    \t{place:#018x} {name}" for number, name in enumerate(names)]
            continue
        elif line.startswith("1   Shop Extra"):
            continue
        lines.append(line)
    return "\n".join(lines)


def send(daemon, report):
    request = urllib.request.Request(
        f"http://127.0.0.1:{daemon.port}/v1/crashes/report", report.encode(), {"Authorization": f"Bearer {daemon.keys['ingest']}"}, method="POST")
    with urllib.request.urlopen(request, timeout=30) as response:
        answer = json.loads(response.read())
    assert answer["accepted"] == 1, answer


def main(program):
    count = 0
    with tempfile.TemporaryDirectory() as data:
        daemon = Daemon(program, data)
        try:
            for form in (ips, text):
                for function in FUNCTIONS:
                    for check in CHECKS:
                        for build in (1, 2):
                            send(daemon, form(check, function, build))
                            count += 1
            issues = daemon.ask("GET", "/v1/issues?limit=100", "read")["items"]
        finally:
            daemon.end()
    found = sorted((issue.get("culprit"), issue["count"]) for issue in issues)
    print(f"apple: {count} reports of {len(FUNCTIONS)} functions are {len(issues)} issues")
    each = count // len(FUNCTIONS)
    assert len(issues) == len(FUNCTIONS) and all(number == each for _, number in found), found
    assert all((issue.get("culprit") or "").endswith(".swift)") for issue in issues), found


if __name__ == "__main__":
    main(*sys.argv[1:])
