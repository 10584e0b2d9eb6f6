// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A response.
package struct Reply: Sendable {
    package var status: Int
    /// Headers by lower-case name.
    package var headers: [String: String]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The lines that are not empty. They are found by bytes, as a search for characters is slow in a debug build.
    package var lines: [String] {
        body.withUnsafeBytes { bytes -> [String] in
            guard let start = bytes.baseAddress else { return [] }
            var (lines, place): ([String], Int) = ([], 0)
            while place < bytes.count {
                var end = bytes.count
                if let found = memchr(start + place, 0x0a, end - place) { end = UnsafeRawPointer(found) - start }
                if end > place { lines.append(String(decoding: UnsafeRawBufferPointer(rebasing: bytes[place..<end]), as: UTF8.self)) }
                place = end + 1
            }
            return lines
        }
    }
}

/// Parses responses.
package enum ReplyParser {
    /// Returns the response at the start of `bytes` and its length, if it is complete.
    package static func read(_ bytes: [UInt8], toHead: Bool) throws -> (Reply, Int)? {
        guard let end = headEnd(bytes) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw ConnectionFailure.unreadable(String(decoding: bytes.prefix(200), as: UTF8.self))
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        var reply = Reply(status: status, headers: headers, body: [])
        if toHead || status < 200 || status == 204 { return (reply, end) }
        if headers["transfer-encoding"] == "chunked" {
            guard let (body, used) = unchunk(bytes, from: end) else { return nil }
            reply.body = body
            return (reply, used)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= end + length else { return nil }
        reply.body = Array(bytes[end..<end + length])
        return (reply, end + length)
    }

    /// Returns the offset after the empty line.
    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        var i = 3
        while i < bytes.count {
            if bytes[i] == 0x0a && bytes[i - 1] == 0x0d && bytes[i - 2] == 0x0a { return i + 1 }
            i += 1
        }
        return nil
    }

    /// Returns the first chunk of `bytes` and its length including the frame, if it is complete. The last chunk is empty.
    static func chunk(_ bytes: [UInt8]) -> (data: [UInt8], used: Int)? {
        guard let lineEnd = bytes.firstIndex(of: 0x0a) else { return nil }
        let size = Int(String(decoding: bytes[..<(lineEnd - 1)], as: UTF8.self), radix: 16) ?? 0
        let end = lineEnd + 1 + size
        guard bytes.count >= end + 2 else { return nil }
        return (Array(bytes[lineEnd + 1..<end]), end + 2)
    }

    private static func unchunk(_ bytes: [UInt8], from start: Int) -> (body: [UInt8], end: Int)? {
        var body: [UInt8] = []
        var at = start
        while let lineEnd = bytes[at...].firstIndex(of: 0x0a) {
            let size = Int(String(decoding: bytes[at..<lineEnd - 1], as: UTF8.self), radix: 16) ?? 0
            let next = lineEnd + 1 + size + 2
            guard bytes.count >= next else { return nil }
            if size == 0 { return (body, next) }
            body += bytes[lineEnd + 1..<lineEnd + 1 + size]
            at = next
        }
        return nil
    }
}
