# SPDX-License-Identifier: Apache-2.0

"""Compares our request parser with h11: framing.py READER [SEED [COUNT]].

Every accepted input must be accepted by h11 too, as the same number of requests with the same bodies, and the connection must end where h11
ends it. We may reject more than h11 does.
"""

import collections
import random
import subprocess
import sys

import h11

NEXT = b"GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

# The first entry of each list is what a regular client sends.
METHODS = ["POST", "GET", "HEAD", "PUT", "OPTIONS", "DELETE", "PURGE", "post", "CONNECT", "P@ST", "", "GE T"]
TARGETS = [
    "/", "/a?b", "/%2e%2e", "*", "http://a/", "http://a", "HTTP://A/x?y", "https://a:80/", "http://b/", "http://u@a/", "a:80", "", "/a b", "/a\tb", "/#a",
    "/\u00e9", "/\x7f", "//a", "?a", "/" + "x" * 9000,
]
VERSIONS = ["HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", "HTTP/01.1", "HTTP/1.10", "HTTP/1", ""]
SPACES = [" ", "  ", "\t", "", " \t", "\x0b"]
ENDS = ["\r\n", "\n", "\r", "\r\r\n", "\n\r", " \r\n", "\0\r\n"]
LENGTHS = [
    "%d", "0%d", "+%d", "-%d", " %d ", "\t%d", "%d, %d", "%d,%d", "%d;", "%d %d", "0x%x", "%d.0", "%de0", "", "99999999999999999999",
    "9223372036854775808", "\u0664", "%d\x0b", "\"%d\"", "1_0",
]
CODINGS = [
    "chunked", "Chunked", "chunked,", ",chunked", "chunked, chunked", "gzip, chunked", "chunked, gzip", "identity", "gzip", "xchunked", "chunked;q=1",
    "\"chunked\"", " chunked\t", "\x0bchunked", "chun ked", "", "chunked, identity", "identity, chunked", "chunked\0",
]
COLONS = [": ", ":", ":\t ", " : ", "\t: ", ":: ", "", " ", ":\r\n ", ": \x0b"]
LENGTH_NAMES = ["Content-Length", "content-length", "CONTENT-LENGTH", "Content_Length", "Content-Length\u00e9", " Content-Length"]
CODING_NAMES = ["Transfer-Encoding", "transfer-encoding", "Transfer_Encoding", "Transfer-Encoding\0", "\tTransfer-Encoding"]
HOSTS = ["a", "", "a:80", "a:", "a:b", "a b", "a,b", "[::1]", "[::1]:80", "[", "u@a", "a/", "\u00e9", "A", "a:99999"]
OTHERS = [
    ("X", "a"), ("Connection", "close"), ("Connection", "Close"), ("Connection", "keep-alive"), ("Connection", "keep-alive, close"),
    ("Connection", "x, close,"), ("Connection", "closed"), ("Connection", "\"close\""), ("Expect", "100-continue"), ("Expect", "x"), ("Upgrade", "websocket"),
    ("X", ""), ("X", "a\r\n b"), ("X", "a\r\n\tb"), ("X", "a\0b"), ("X", "a\rb"), ("X", "a\nb"), ("X", "\u00e9"), ("X", "a\x7f"), ("X", "\x01"),
    ("X Y", "a"), ("", "a"), ("X(", "a"), ("TE", "trailers"), ("Trailer", "X"), ("Keep-Alive", "5"), ("Proxy-Connection", "close"), ("X", "y" * 5000),
    ("Host", "a"), ("Host", "b"),
]
SIZES = [
    "%x", "%X", "0%x", "000000000000000%x", "00000000000000000000%x", "0x%x", "+%x", "-%x", " %x", "%x ", "%x\t", "", "g", "%x\0", "1_%x",
    "ffffffffffffffff", "%x,",
]
LAST_SIZES = ["0", "00", "0000000000000000", "", "-0", "0x0", "0 "]
EXTENSIONS = ["", ";", ";a", ";a=b", ";a=\"b;c\"", " ;a", "; a = b", ";\x01", ";a\n", ";a\rb", ";\u00e9", ";" + "x" * 200, ";" + "x" * 5000]
TRAILERS = [
    "", "X: a\r\n", "X: a\r\nY: b\r\n", "X : a\r\n", " X: a\r\n", "X\r\n", "X: a\n", "X: \0\r\n", "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n", "X: a\r\n b\r\n", "Host: b\r\n", "X: " + "x" * 5000 + "\r\n",
]
BEFORE = ["", "\r\n", "\n", "\r\n\r\n", " ", "\r"]
SPICE = b"\r\n\r\n\0 \t:;,0123456789aAfF/*?#-+_\x0b\x0c\x7f\x80\xa0\xff"


def encoded(text):
    return text.encode("latin-1", "ignore") if all(ord(c) < 256 for c in text) else text.encode()


def formatted(pattern, number):
    return pattern % ((number,) * pattern.count("%")) if "%" in pattern else pattern


class Maker:
    """Generates inputs with a varying number of oddities, so that some with only one or two are accepted."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.oddity = 0.0

    def pick(self, choices):
        return self.random.choice(choices) if self.chance(self.oddity) else choices[0]

    def chance(self, share):
        return self.random.random() < share

    def chunked(self, body):
        out = ""
        while body:
            count = self.random.randint(1, len(body))
            out += formatted(self.pick(SIZES), count) + self.pick(EXTENSIONS) + self.pick(ENDS) + body[:count] + self.pick(ENDS)
            body = body[count:]
        return out + self.pick(LAST_SIZES) + self.pick(EXTENSIONS) + self.pick(ENDS) + self.pick(TRAILERS) + self.pick(ENDS)

    def field(self, name, value):
        return name + self.pick(COLONS) + value + self.pick(ENDS)

    def framed(self, body):
        """The headers that determine the body's length, and the body."""
        claimed = max(0, len(body) + self.pick([0, -1, 1, 5]))
        kind = self.random.choice(["length", "coding", "none"])
        if self.chance(self.oddity):
            kind = self.random.choice(["both", "lengths", "codings"])
        fields = []
        if kind in ("length", "lengths", "both"):
            fields.append(self.field(self.pick(LENGTH_NAMES), formatted(self.pick(LENGTHS), claimed)))
        if kind == "lengths":
            fields.append(self.field("Content-Length", formatted(self.random.choice(["%d", "0%d", "1%d"]), claimed)))
        if kind in ("coding", "codings", "both"):
            fields.append(self.field(self.pick(CODING_NAMES), self.pick(CODINGS)))
            body = self.chunked(body)
        if kind == "codings":
            fields.append(self.field("Transfer-Encoding", self.random.choice(CODINGS)))
        return fields, "" if kind == "none" else body

    def request(self):
        fields, body = self.framed("".join(self.random.choice("ab0\r\n5;: ") for _ in range(self.random.randint(0, 20))))
        if not self.chance(self.oddity / 2):
            fields.append(self.field("Host", self.pick(HOSTS)))
        fields += [self.field(*self.pick(OTHERS)) for _ in range(self.random.choice([0, 0, 1, 2]))]
        self.random.shuffle(fields)
        line = self.pick(METHODS) + self.pick(SPACES) + self.pick(TARGETS) + self.pick(SPACES) + self.pick(VERSIONS) + self.pick(ENDS)
        return encoded(self.pick(BEFORE) + line + "".join(fields) + self.pick(ENDS) + body)

    def mutated(self, data):
        out = bytearray(data)
        for _ in range(self.random.randint(1, 3)):
            at = self.random.randrange(len(out))
            how = self.random.randrange(4)
            if how == 0:
                out[at] = self.random.choice(SPICE)
            elif how == 1:
                out.insert(at, self.random.choice(SPICE))
            elif how == 2:
                del out[at]
            else:
                out[at:at] = out[at : at + self.random.randint(1, 12)]
        return bytes(out)

    def input(self):
        self.oddity = self.random.choice([0.01, 0.03, 0.1])
        data = b"".join(self.request() for _ in range(self.random.choice([1, 1, 2])))
        if self.chance(0.3):
            data = self.mutated(data)
        return data + NEXT if self.chance(0.8) else data


def theirs(data):
    """The requests that h11 parses and the end: a fault, `close`, or `more`."""
    requests = []
    # h11 rejects the empty line before a request that servers should ignore (RFC 9112, 2.2), so it is removed. Empty data would mean the
    # end of the connection.
    while data := data.removeprefix(b"\r\n"):
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
        try:
            connection.receive_data(data)
            request = request_of(connection)
        except h11.RemoteProtocolError:
            return requests, "fault"
        if request is None:
            return requests, "more"
        requests.append(request)
        if connection.our_state is h11.MUST_CLOSE:
            return requests, "close"
        data = connection.trailing_data[0]
    return requests, "more"


def request_of(connection):
    method, body = "", b""
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            return None
        if isinstance(event, h11.Request):
            method = event.method.decode("latin-1")
        elif isinstance(event, h11.Data):
            body += bytes(event.data)
        elif isinstance(event, h11.EndOfMessage):
            connection.send(h11.Response(status_code=404, headers=[("Content-Length", "0")]))
            connection.send(h11.EndOfMessage())
            return f"{method}:{body.hex()}"


def ours(reader, inputs):
    text = "".join(data.hex() + "\n" for data in inputs)
    answers = subprocess.run([reader], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == len(inputs), "the reader ended early"
    for answer in answers:
        *requests, end = answer.split(" ")
        yield requests, end if end in ("more", "close") else "fault"


def judged(mine, other):
    """The name of a pair of results; None if they contradict each other."""
    (requests, end), (others, other_end) = mine, other
    if requests != others[: len(requests)]:
        return None
    if end == "fault":
        return "refused by both" if other_end == "fault" and len(others) == len(requests) else "refused by us only"
    if len(requests) < len(others):
        return None
    if end == other_end:
        return "accepted by both" if requests else "incomplete for both"
    # Not accepted here yet, and rejected there before its end.
    return "incomplete for us, refused by h11" if end == "more" and other_end == "fault" else None


def main(reader, seed=2026, count=30_000):
    maker = Maker(int(seed))
    inputs = [maker.input() for _ in range(int(count))]
    counts, shown = collections.Counter(), 0
    for data, mine in zip(inputs, ours(reader, inputs)):
        other = theirs(data)
        verdict = judged(mine, other)
        counts[verdict or "DISAGREEMENT"] += 1
        if verdict is None and shown < 10:
            shown += 1
            print(f"disagreement about {data[:400]!r}\n  ours: {mine}\n  h11:  {other}")
    print(", ".join(f"{counts[name]} {name}" for name in sorted(counts)) + f" (seed {seed})")
    return 1 if counts["DISAGREEMENT"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
