// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A parser of server-sent events. Example: `id: 7\nevent: message\ndata: {}\n\n` yields
/// `Event(id: "7", name: "message", data: "{}")`.
package struct ServerSentEventParser {
    package struct Event: Equatable {
        package var id = ""
        package var name = "message"
        package var data = ""
    }

    /// The limit of an event in bytes, far above the largest message.
    package static let longest = 256 << 10

    private let longest: Int

    private var rest: [UInt8] = []
    private var event = Event()

    init(longest: Int = ServerSentEventParser.longest) {
        self.longest = longest
    }

    /// Returns the events completed by these bytes, without comments; `nil` if an event exceeds `longest`.
    mutating func read(_ bytes: Data) -> [Event]? {
        var events: [Event] = []
        var start = 0
        let searched = rest.count
        rest += bytes
        while let end = rest[max(start, searched)...].firstIndex(of: 0x0a) {
            let line = rest[start..<end]
            start = end + 1
            if let done = read(line: line.last == 0x0d ? line.dropLast() : line) { events.append(done) }
        }
        rest.removeFirst(start)
        return rest.count + event.data.utf8.count <= longest ? events : nil
    }

    private mutating func read(line: ArraySlice<UInt8>) -> Event? {
        if line.isEmpty {
            defer { event = Event() }
            return event.data.isEmpty ? nil : event
        }
        let parts = line.split(separator: 0x3a, maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : []
        if value.first == 0x20 { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "id": event.id = text
        case "event": event.name = text
        case "data": event.data += event.data.isEmpty ? text : "\n" + text
        default: break
        }
        return nil
    }
}
