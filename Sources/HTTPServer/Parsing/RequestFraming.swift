// SPDX-License-Identifier: Apache-2.0

import Platform

/// The framing of a message by its header fields: where it ends, and whether another may follow (RFC 9112, sections 3.2 and 6).
///
/// The rules are strict against request smuggling. Example: `Content-Length: 5` together with `Transfer-Encoding: chunked` is rejected.
struct RequestFraming {
    private(set) var body = BodyFraming.none
    private(set) var keepsAlive = true
    private(set) var expectsContinue = false
    private var host: Range<Int>?
    private var length: Int?
    private var transferCodings: [Range<Int>] = []
    private var hasTransferEncoding = false

    init(_ bytes: [UInt8], _ fields: [HeadField], _ line: RequestLine) throws(HTTPRequestError) {
        for field in fields { try note(bytes, field) }
        try checkHost(bytes, line)
        try settleBody(bytes, line)
    }

    /// Compares lengths first, so that most fields cost one integer comparison.
    private mutating func note(_ bytes: [UInt8], _ field: HeadField) throws(HTTPRequestError) {
        switch field.name.count {
        case 4 where bytes.equals(field.name, "host"):
            guard host == nil else { throw .badRequest("more than one Host") }
            host = field.value
        case 6 where bytes.equals(field.name, "expect"):
            expectsContinue = bytes.equals(field.value, "100-continue")
        case 10 where bytes.equals(field.name, "connection"):
            var closes = false
            bytes.forEachElement(of: field.value) { closes = closes || bytes.equals($0, "close") }
            keepsAlive = keepsAlive && !closes
        case 14 where bytes.equals(field.name, "content-length"):
            guard length == nil else { throw .badRequest("more than one Content-Length") }
            length = try RequestFraming.number(bytes, field.value)
        case 17 where bytes.equals(field.name, "transfer-encoding"):
            hasTransferEncoding = true
            bytes.forEachElement(of: field.value) { transferCodings.append($0) }
        default:
            break
        }
    }

    /// Parses digits only: no sign, list or blank.
    private static func number(_ bytes: [UInt8], _ range: Range<Int>) throws(HTTPRequestError) -> Int {
        var value = 0
        for i in range {
            guard bytes[i] >= 0x30, bytes[i] <= 0x39 else { throw .badRequest("malformed Content-Length") }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int(bytes[i] - 0x30))
            guard !overflow, !carry else { throw .badRequest("malformed Content-Length") }
            value = sum
        }
        guard !range.isEmpty else { throw .badRequest("malformed Content-Length") }
        return value
    }

    private func checkHost(_ bytes: [UInt8], _ line: RequestLine) throws(HTTPRequestError) {
        guard let host else {
            guard line.isHTTP10, line.authority == nil else { throw .badRequest("no Host") }
            return
        }
        guard isAuthority(bytes, host) else { throw .badRequest("malformed Host") }
        guard let authority = line.authority else { return }
        guard authority.count == host.count, zip(authority, host).allSatisfy({ bytes[$0].lowercased == bytes[$1].lowercased }) else {
            throw .badRequest("the request target contradicts Host")
        }
    }

    private mutating func settleBody(_ bytes: [UInt8], _ line: RequestLine) throws(HTTPRequestError) {
        guard hasTransferEncoding else {
            if let length, length > 0 { body = .length(length) }
            return
        }
        guard length == nil else { throw .badRequest("Content-Length beside Transfer-Encoding") }
        guard !line.isHTTP10 else { throw .badRequest("Transfer-Encoding in HTTP/1.0") }
        guard !transferCodings.contains(where: \.isEmpty) else { throw .badRequest("malformed Transfer-Encoding") }
        let chunked = transferCodings.filter { bytes.equals($0, "chunked") }.count
        let endsChunked = transferCodings.last.map { bytes.equals($0, "chunked") } ?? false
        guard chunked == 0 || (chunked == 1 && endsChunked) else { throw .badRequest("chunked is not the last transfer coding, or repeated") }
        guard transferCodings.count == 1, endsChunked else { throw .notImplemented }
        body = .chunked
    }
}

/// Validates `host`, `host:port`, `[address]` or `[address]:port`, without user info.
private func isAuthority(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard let first = bytes[range].first else { return false }
    var end: Int
    if first == 0x5b {
        guard let bracket = bytes[range].firstIndex(of: 0x5d), bracket > range.lowerBound + 1 else { return false }
        guard ((range.lowerBound + 1)..<bracket).allSatisfy({ ByteSet.addressLiteral.contains(bytes[$0]) }) else { return false }
        end = bracket + 1
    } else {
        end = bytes[range].firstIndex(of: 0x3a) ?? range.upperBound
        guard end > range.lowerBound, (range.lowerBound..<end).allSatisfy({ ByteSet.host.contains(bytes[$0]) }) else { return false }
    }
    guard end < range.upperBound else { return true }
    guard bytes[end] == 0x3a else { return false }
    end += 1
    let port = end..<range.upperBound
    guard port.count <= 5, port.allSatisfy({ bytes[$0] >= 0x30 && bytes[$0] <= 0x39 }) else { return false }
    return port.reduce(0) { $0 * 10 + Int(bytes[$1] - 0x30) } <= 65_535
}
