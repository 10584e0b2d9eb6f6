// SPDX-License-Identifier: Apache-2.0

/// Request line and header fields, kept as bytes; strings are created on access.
package struct HTTPRequestHead: Sendable {
    package let method: HTTPMethod
    package let body: BodyFraming
    /// The client of the request; behind a trusted proxy, the client named by the proxy.
    package internal(set) var client = ClientAddress.unknown
    package internal(set) var id = RequestID(value: 0)

    let isHTTP10: Bool
    /// Whether the connection may be reused.
    package let keepsAlive: Bool
    package let expectsContinue: Bool
    private let bytes: [UInt8]
    private let fields: [HeadField]
    private let pathRange: Range<Int>
    private let queryRange: Range<Int>?

    init(bytes: [UInt8], fields: [HeadField], line: RequestLine, framing: RequestFraming) {
        self.bytes = bytes
        self.fields = fields
        method = HTTPMethod(bytes[line.method])
        pathRange = line.path
        queryRange = line.query
        isHTTP10 = line.isHTTP10
        body = framing.body
        keepsAlive = framing.keepsAlive && !line.isHTTP10
        expectsContinue = framing.expectsContinue && !line.isHTTP10
    }

    /// The raw, percent-encoded value.
    package var path: String { String(decoding: pathBytes, as: UTF8.self) }
    var pathBytes: ArraySlice<UInt8> { pathRange.isEmpty ? [0x2f] : bytes[pathRange] }
    package var query: String? { queryRange.map { String(decoding: bytes[$0], as: UTF8.self) } }
    package var requestID: String { id.description }

    /// Returns the first field with the name, ignoring case.
    package func header(_ name: String) -> String? {
        headerBytes(name).map { String(decoding: $0, as: UTF8.self) }
    }

    package func headerBytes(_ name: String) -> ArraySlice<UInt8>? {
        fields.first { bytes.equalsIgnoringCase($0.name, name) }.map { bytes[$0.value] }
    }

    /// Returns all fields with the name, in order.
    package func headers(_ name: String) -> [String] {
        fields.filter { bytes.equalsIgnoringCase($0.name, name) }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// Returns the fields whose names begin with a prefix, in order, with the rest of their names.
    package func fields(withPrefix prefix: String) -> [(name: String, value: String)] {
        let count = prefix.utf8.count
        return fields.filter { $0.name.count > count && bytes.equalsIgnoringCase($0.name.lowerBound..<$0.name.lowerBound + count, prefix) }.map {
            (String(decoding: bytes[$0.name.dropFirst(count)], as: UTF8.self), String(decoding: bytes[$0.value], as: UTF8.self))
        }
    }

    /// The values of `X-Forwarded-For`; `nil` if no field indicates a proxy.
    var forwardedFor: [String]? {
        let isProxied = fields.contains { field in
            HTTPRequestHead.proxyFields.contains { bytes.equalsIgnoringCase(field.name, $0) }
        }
        return isProxied ? headers("X-Forwarded-For") : nil
    }

    /// Fields that only proxies send. The client's address is read from the first one only.
    private static let proxyFields = ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto"]
}

/// The framing of a request body.
package enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
}

/// The ranges of a field's name and value in the head.
struct HeadField: Sendable {
    private let nameStart: UInt32, nameEnd: UInt32, valueStart: UInt32, valueEnd: UInt32

    init(name: Range<Int>, value: Range<Int>) {
        nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
        nameEnd = UInt32(truncatingIfNeeded: name.upperBound)
        valueStart = UInt32(truncatingIfNeeded: value.lowerBound)
        valueEnd = UInt32(truncatingIfNeeded: value.upperBound)
    }

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}
