// SPDX-License-Identifier: Apache-2.0

import Panes

/// Cuts a stream of server-sent events into its events, however the bytes come.
struct ServerSentEvents: Sendable {
    /// A line without end would fill the memory.
    struct TooLong: Error {}
    private static let mostBytes = 4 << 20

    /// The last id there was, which stands until there is another.
    private(set) var lastID = ""
    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []
    private var size = 0

    /// Forgets half an event; the next answer begins with a whole one.
    mutating func beginAgain() {
        line = []
        finishEvent()
    }

    mutating func take(_ bytes: [UInt8]) throws -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            guard byte == 0x0a else {
                line.append(byte)
                guard line.count + size <= ServerSentEvents.mostBytes else { throw TooLong() }
                continue
            }
            if line.last == 0x0d { line.removeLast() }
            if let event = endLine() { events.append(event) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// The event that an empty line ends.
    private mutating func endLine() -> StreamEvent? {
        guard !line.isEmpty else {
            defer { finishEvent() }
            return data.isEmpty ? nil : StreamEvent(id: lastID, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
        }
        // A colon at the beginning marks a comment, which keeps the connection alive.
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
