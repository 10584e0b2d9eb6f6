// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A client of server-sent events, read message by message.
package actor EventStream {
    package struct Message: Sendable, Equatable {
        package var id: String?
        package var event = ""
        package var data = ""
        /// A comment, sent as heartbeat.
        package var isComment = false

        package var json: JSON {
            get throws { try JSON(Array(data.utf8)) }
        }
    }

    private let connection: HTTPConnection
    private var rest: [UInt8] = []
    package nonisolated let head: Reply

    /// Sends the request, a POST with a body, and reads the head of the response.
    package init(_ api: TestClient, _ target: String, key: String?, headers: [String: String] = [:], body: String? = nil) async throws {
        connection = try api.connect()
        let method = body == nil ? "GET" : "POST"
        try await connection.send(TestClient.bytes(method, target, key: key, headers: headers, body: body.map { Array($0.utf8) }))
        head = try await connection.head()
    }

    /// Returns the next message other than a comment. Nil at a regular end.
    package func next() async throws -> Message? {
        while let message = try await nextOfAny() {
            if !message.isComment { return message }
        }
        return nil
    }

    package func nextOfAny() async throws -> Message? {
        while true {
            if let end = endOfMessage {
                defer { rest.removeFirst(end + 2) }
                return Message(rest[...end])
            }
            guard let more = try await connection.chunk() else { return nil }
            rest += more
        }
    }

    /// The place of the first line end that an empty line follows.
    private var endOfMessage: Int? {
        rest.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var place = 0
            while let found = memchr(start + place, 0x0a, bytes.count - place) {
                place = UnsafeRawPointer(found) - start + 1
                guard place < bytes.count else { return nil }
                if bytes[place] == 0x0a { return place - 1 }
            }
            return nil
        }
    }

    /// Returns the next messages.
    package func next(_ count: Int) async throws -> [Message] {
        var out: [Message] = []
        while out.count < count, let message = try await next() { out.append(message) }
        return out
    }

    package func close() async {
        await connection.close()
    }
}

extension EventStream.Message {
    fileprivate init(_ bytes: ArraySlice<UInt8>) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            switch parts[0] {
            case "": isComment = true
            case "id": id = value
            case "event": event = value
            case "data": data = value
            default: break
            }
        }
    }
}
