// SPDX-License-Identifier: Apache-2.0

import Platform

/// The parts of a request line such as `GET /v1/app?x=1 HTTP/1.1`, as ranges of the head's bytes.
struct RequestLine {
    let method: Range<Int>
    let path: Range<Int>
    let query: Range<Int>?
    /// The authority of an absolute target, which must equal `Host`.
    let authority: Range<Int>?
    let isHTTP10: Bool

    /// Parses `bytes[line]`, which excludes the CRLF.
    init(_ bytes: [UInt8], _ line: Range<Int>) throws(HTTPRequestError) {
        guard let firstSpace = bytes[line].firstIndex(of: 0x20), firstSpace > line.lowerBound else { throw .badRequest("malformed request line") }
        method = line.lowerBound..<firstSpace
        for i in method where !ByteSet.token.contains(bytes[i]) { throw .badRequest("invalid character in the method") }
        let rest = (firstSpace + 1)..<line.upperBound
        guard let secondSpace = bytes[rest].firstIndex(of: 0x20), secondSpace > rest.lowerBound else { throw .badRequest("malformed request line") }
        isHTTP10 = try RequestLine.isHTTP10(bytes, (secondSpace + 1)..<line.upperBound)
        let target = try RequestTarget(bytes, rest.lowerBound..<secondSpace, method: method)
        path = target.path
        query = target.query
        authority = target.authority
    }

    private static func isHTTP10(_ bytes: [UInt8], _ version: Range<Int>) throws(HTTPRequestError) -> Bool {
        let isDigit = { (i: Int) in bytes[i] >= 0x30 && bytes[i] <= 0x39 }
        let start = version.lowerBound
        guard version.count == 8, bytes[version].starts(with: "HTTP/".utf8), isDigit(start + 5), bytes[start + 6] == 0x2e, isDigit(start + 7) else {
            throw .badRequest("malformed HTTP version")
        }
        switch (bytes[start + 5], bytes[start + 7]) {
        case (0x31, 0x31): return false
        case (0x31, 0x30): return true
        default: throw .versionNotSupported
        }
    }
}

/// The request target: a path, or `*` for the server as a whole.
private struct RequestTarget {
    let path: Range<Int>
    let query: Range<Int>?
    let authority: Range<Int>?

    init(_ bytes: [UInt8], _ target: Range<Int>, method: Range<Int>) throws(HTTPRequestError) {
        for i in target where !ByteSet.target.contains(bytes[i]) { throw .badRequest("invalid character in the request target") }
        if bytes[method].elementsEqual("CONNECT".utf8) { throw .notImplemented }
        var start = target.lowerBound
        if bytes[start] == 0x2f {
            authority = nil
        } else if target.count == 1, bytes[start] == 0x2a, bytes[method].elementsEqual("OPTIONS".utf8) {
            (path, query, authority) = (target, nil, nil)
            return
        } else {
            let found = try RequestTarget.authority(bytes, target)
            authority = found
            start = found.upperBound
        }
        let mark = bytes[start..<target.upperBound].firstIndex(of: 0x3f)
        path = start..<(mark ?? target.upperBound)
        query = mark.map { ($0 + 1)..<target.upperBound }
    }

    /// The authority of the absolute form `http://authority/path`.
    private static func authority(_ bytes: [UInt8], _ target: Range<Int>) throws(HTTPRequestError) -> Range<Int> {
        for scheme: StaticString in ["http://", "https://"] where target.count > scheme.utf8CodeUnitCount {
            let start = target.lowerBound + scheme.utf8CodeUnitCount
            guard bytes.equals(target.lowerBound..<start, scheme) else { continue }
            let end = bytes[start..<target.upperBound].firstIndex { $0 == 0x2f || $0 == 0x3f } ?? target.upperBound
            return start..<end
        }
        throw .badRequest("invalid request target")
    }
}
