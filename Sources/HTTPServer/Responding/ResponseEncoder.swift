// SPDX-License-Identifier: Apache-2.0

import Platform

/// Encodes responses, head and body in one buffer, so that each needs one system call.
struct ResponseEncoder {
    enum Body {
        case length(Int)
        case chunked
        /// Ends with the connection, the only framing of a stream in HTTP/1.0.
        case untilClose
    }

    /// Fields that the server writes.
    private static let owned = ["date", "connection", "x-request-id", "content-length", "transfer-encoding"]

    private(set) var bytes: [UInt8] = []
    private var date = DateField()

    /// Starts a new response.
    mutating func begin(status: Int, id: RequestID, closes: Bool) {
        bytes.removeAll(keepingCapacity: true)
        date.update()
        append("HTTP/1.1 ")
        append(number: status)
        append(" ")
        append(reason(status))
        append("\r\n")
        bytes.append(contentsOf: date.bytes)
        append("X-Request-Id: ")
        append(id)
        append(closes ? "\r\nConnection: close\r\n" : "\r\n")
    }

    mutating func append(headers: [(name: String, value: String)]) {
        for (name, value) in headers where isSafe(name, value) {
            bytes.append(contentsOf: name.utf8)
            append(": ")
            bytes.append(contentsOf: value.utf8)
            append("\r\n")
        }
    }

    mutating func endHead(_ body: Body?) {
        switch body {
        case .length(let count):
            append("Content-Length: ")
            append(number: count)
            append("\r\n")
        case .chunked: append("Transfer-Encoding: chunked\r\n")
        case .untilClose, nil: break
        }
        append("\r\n")
    }

    /// Removes and returns the encoded bytes, if they cannot be sent at once.
    mutating func handOver() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func append(body: [UInt8]) {
        bytes.append(contentsOf: body)
    }

    /// Encodes a chunk. Empty data encodes to nothing, because an empty chunk ends the stream.
    static func chunk(_ data: [UInt8]) -> [UInt8] {
        guard !data.isEmpty else { return [] }
        var framed = Array(String(data.count, radix: 16).utf8)
        framed.reserveCapacity(framed.count + data.count + 4)
        framed += [0x0d, 0x0a]
        framed += data
        framed += [0x0d, 0x0a]
        return framed
    }

    static let lastChunk = Array("0\r\n\r\n".utf8)
    static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Whether a handler's field is sent: not if it contains a line break or concerns framing.
    private func isSafe(_ name: String, _ value: String) -> Bool {
        guard !name.isEmpty, name.utf8.allSatisfy({ ByteSet.token.contains($0) }), value.utf8.allSatisfy(isFieldContent) else { return false }
        switch name.utf8.count {
        case 4, 10, 12, 14, 17:
            return !ResponseEncoder.owned.contains(name.lowercased())
        default: return true
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(number: Int) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    private mutating func append(_ id: RequestID) {
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: id.value >> shift & 0xf)
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}

private func reason(_ status: Int) -> StaticString {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 304: "Not Modified"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Status"
    }
}
