// SPDX-License-Identifier: Apache-2.0

import Panes

/// An event of a stream that exceeds its size limit.
struct EventTooLongError: Error {}

/// A parser of server-sent events, independent of how the bytes are cut.
struct ServerSentEvents: Sendable {
    /// The limit of an event; a longer one is an error.
    private static let mostBytes = 4 << 20

    /// The last ID, which applies until the next one.
    private(set) var lastID = ""
    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []
    private var size = 0

    /// Drops a partial event; the next response begins with a complete one.
    mutating func beginAgain() {
        line = []
        finishEvent()
    }

    mutating func take(_ bytes: [UInt8]) throws -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            guard byte == 0x0a else {
                line.append(byte)
                guard line.count + size <= ServerSentEvents.mostBytes else { throw EventTooLongError() }
                continue
            }
            if line.last == 0x0d { line.removeLast() }
            if let event = endLine() { events.append(event) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// Returns the event that an empty line completes.
    private mutating func endLine() -> StreamEvent? {
        guard !line.isEmpty else {
            defer { finishEvent() }
            return data.isEmpty ? nil : StreamEvent(id: lastID, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
        }
        // A line that begins with a colon is a keep-alive comment.
        guard line[0] != 0x3a else { return nil }
        let colon = line.firstIndex(of: 0x3a) ?? line.count
        var value = line[min(colon + 1, line.count)...]
        if value.first == 0x20 { value = value.dropFirst() }
        take(field: String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func take(field: String, _ value: String) {
        switch field {
        case "id": lastID = value
        case "event": name = value
        case "data":
            data.append(value)
            size += value.utf8.count
        default: break
        }
    }

    private mutating func finishEvent() {
        (name, data, size) = ("", [], 0)
    }
}
