// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Synchronization

/// Splits an export into stream events, independent of how the bytes are cut.
final class EventLines: Sendable {
    private let rest = Mutex<[UInt8]>([])

    /// The limit of a line; a longer one is an error.
    private static let mostBytes = 4 << 20

    func take(_ bytes: [UInt8]) throws -> [StreamEvent] {
        let whole = try rest.withLock { rest in
            rest += bytes
            guard rest.count - bytes.count <= EventLines.mostBytes else { throw EventTooLongError() }
            let end = rest.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
            defer { rest.removeFirst(end) }
            return Array(rest[..<end])
        }
        return whole.split(separator: 0x0a).map { line in
            let seq = (try? JSONValue(Array(line)))?.text("seq") ?? ""
            return StreamEvent(id: seq, name: "event", data: String(decoding: line, as: UTF8.self))
        }
    }
}
