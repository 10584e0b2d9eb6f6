// SPDX-License-Identifier: Apache-2.0

import Testing

/// A request that must be rejected, with the reason.
struct BadRequest: CustomTestStringConvertible {
    let name: String
    let bytes: String
    let status: Int

    init(_ name: String, _ bytes: String, _ status: Int = 400) {
        self.name = name
        self.bytes = bytes
        self.status = status
    }

    var testDescription: String { name }

    /// A request that differs from a valid one only in these header lines.
    private static func post(_ name: String, _ lines: String, _ status: Int = 400, body: String = "abcd") -> BadRequest {
        BadRequest(name, "POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n\(body)", status)
    }

    private static func chunked(_ name: String, _ body: String, _ status: Int = 400) -> BadRequest {
        post(name, "Transfer-Encoding: chunked", status, body: body)
    }

    static let all = lengths + codings + lines + hosts + targets + chunks

    private static let lengths = [
        post("length and chunked together", "Content-Length: 4\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n"),
        post("chunked and length together", "Transfer-Encoding: chunked\r\nContent-Length: 4", body: "0\r\n\r\n"),
        post("two different lengths", "Content-Length: 4\r\nContent-Length: 0"),
        post("two equal lengths", "Content-Length: 4\r\nContent-Length: 4"),
        post("a list of lengths", "Content-Length: 4, 4"),
        post("a signed length", "Content-Length: +4"),
        post("a negative length", "Content-Length: -4"),
        post("a hexadecimal length", "Content-Length: 0x4"),
        post("an empty length", "Content-Length:"),
        post("a length with a blank inside", "Content-Length: 4 4"),
        post("a length beyond 64 bits", "Content-Length: 99999999999999999999"),
        post("a length one beyond 63 bits", "Content-Length: 9223372036854775808"),
        post("the largest length there is", "Content-Length: 9223372036854775807", 413),
    ]

    private static let codings = [
        post("an unknown transfer coding", "Transfer-Encoding: zip", 501),
        post("identity", "Transfer-Encoding: identity", 501),
        post("gzip before chunked", "Transfer-Encoding: gzip, chunked", 501),
        post("gzip and chunked on two lines", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501),
        post("chunked before something else", "Transfer-Encoding: chunked, identity"),
        post("chunked twice", "Transfer-Encoding: chunked, chunked"),
        post("chunked twice on two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        post("chunked with a vertical tab", "Transfer-Encoding: \u{b}chunked"),
        post("something that ends like chunked", "Transfer-Encoding: xchunked", 501),
        post("chunked in quotes", "Transfer-Encoding: \"chunked\"", 501),
        post("an empty coding", "Transfer-Encoding:"),
        post("an empty list element", "Transfer-Encoding: chunked,"),
        BadRequest("chunked in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    private static let lines = [
        post("a space before the colon", "Content-Length : 4"),
        post("a tab before the colon", "Content-Length\t: 4"),
        post("a folded field", "X: a\r\n b"),
        post("a field folded with a tab", "X: a\r\n\tb"),
        BadRequest("a blank before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        post("a bare line feed after a field", "X: a\nY: b"),
        BadRequest("a bare line feed after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        BadRequest("bare line feeds throughout", "GET / HTTP/1.1\nHost: a\n\n"),
        post("a bare CR in a value", "X: a\rb"),
        post("two CRs at the end of a line", "X: a\r"),
        post("a NUL in a value", "X: a\0b"),
        post("a control character in a value", "X: a\u{1}b"),
        post("a DEL in a value", "X: a\u{7f}b"),
        post("a NUL in a name", "X\0: a"),
        post("an empty name", ": a"),
        post("a line without colon", "nonsense"),
        post("a parenthesis in a name", "X(y): a"),
        post("a name that is not ASCII", "X\u{e9}: a"),
        BadRequest("two empty lines before the request", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        BadRequest("a bare line feed before the request", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        BadRequest("a TLS greeting", "\u{16}\u{3}\u{1}\0\n"),
    ]

    private static let hosts =
        [
            BadRequest("no Host", "GET / HTTP/1.1\r\nX: a\r\n\r\n"),
            post("two Hosts", "Host: a"),
            post("two different Hosts", "Host: b"),
        ]
        + ["", "a b", "a/b", "user@a", "a:80:80", "a:65536", "a:-1", "a:x", "[::1", "[]", "[::g]", "[::1]x", ":80", "a\\b", "caf\u{e9}"].map {
            BadRequest("Host '\($0)'", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n")
        }

    private static let targets =
        [
            ("GET  / HTTP/1.1", 400), ("GET /  HTTP/1.1", 400), ("GET / HTTP/1.1 ", 400), (" GET / HTTP/1.1", 400), ("GET /", 400), ("GET", 400),
            ("G@T / HTTP/1.1", 400), ("GET / http/1.1", 400), ("GET / HTTP/1.1x", 400), ("GET / HTTP/11", 400), ("GET / HTTP/1,1", 400),
            ("GET / HTTP/1.2", 505), ("GET / HTTP/2.0", 505), ("GET / HTTP/0.9", 505), ("PRI * HTTP/2.0", 505), ("GET /a\tb HTTP/1.1", 400),
            ("GET /a\0 HTTP/1.1", 400), ("GET /\u{e9} HTTP/1.1", 400), ("GET /#x HTTP/1.1", 400), ("GET a HTTP/1.1", 400), ("GET * HTTP/1.1", 400),
            ("GET ftp://a/ HTTP/1.1", 400), ("GET http:/a HTTP/1.1", 400), ("GET http:// HTTP/1.1", 400), ("GET http://b/ HTTP/1.1", 400),
            ("GET http://user@a/ HTTP/1.1", 400), ("CONNECT a:80 HTTP/1.1", 501),
        ].map { BadRequest("request line '\($0.0)'", "\($0.0)\r\nHost: a\r\n\r\n", $0.1) }

    private static let chunks = [
        chunked("a chunk size with 0x", "0x5\r\nabcde\r\n0\r\n\r\n"),
        chunked("a chunk size that overflows", "ffffffffffffffff\r\n"),
        chunked("a chunk size with too many digits", "00000000000000005\r\nabcde\r\n0\r\n\r\n"),
        chunked("a chunk larger than any limit", "7fffffffffffffff\r\n", 413),
        chunked("a signed chunk size", "+5\r\nabcde\r\n0\r\n\r\n"),
        chunked("an empty chunk size", "\r\nabcde\r\n0\r\n\r\n"),
        chunked("a chunk size of extension alone", ";x\r\n"),
        chunked("a blank after the chunk size", "5 \r\nabcde\r\n0\r\n\r\n"),
        chunked("a blank before the chunk size", " 5\r\nabcde\r\n0\r\n\r\n"),
        chunked("a bare line feed after the chunk size", "5\nabcde\r\n0\r\n\r\n"),
        chunked("a bare line feed in a chunk extension", "5;a\nabcde\r\n0\r\n\r\n"),
        chunked("a bare CR in a chunk extension", "5;a\rb\r\nabcde\r\n0\r\n\r\n"),
        chunked("a chunk longer than its size", "4\r\nabcde\r\n0\r\n\r\n"),
        chunked("a chunk shorter than its size", "6\r\nabcde\r\n0\r\n\r\n"),
        chunked("a bare line feed after a chunk", "5\r\nabcde\n0\r\n\r\n"),
        chunked("a trailer about framing", "0\r\nContent-Length: 4\r\n\r\n"),
        chunked("a trailer about authority", "0\r\nauthorization: x\r\n\r\n"),
        chunked("a folded trailer", "0\r\nX: a\r\n b\r\n\r\n"),
        chunked("a trailer without colon", "0\r\nnonsense\r\n\r\n"),
        chunked("a NUL in a trailer", "0\r\nX: \0\r\n\r\n"),
        chunked("a bare line feed where a trailer would be", "0\r\n\n"),
        chunked("a bare line feed after a trailer", "0\r\nX: a\n\r\n"),
        chunked("too many chunk extensions", "1;" + String(repeating: "x", count: 5_000) + "\r\na\r\n0\r\n\r\n", 431),
        chunked("trailers without end", "0\r\nX: " + String(repeating: "x", count: 5_000), 431),
    ]
}
