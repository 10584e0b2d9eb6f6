// SPDX-License-Identifier: Apache-2.0

import API
import Panes
import Synchronization

/// Splits an export into stream events without IDs, independent of how the bytes are cut.
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
        return whole.split(separator: 0x0a).map {
            StreamEvent(id: "", name: TailEventName.event.rawValue, data: String(decoding: $0, as: UTF8.self))
        }
    }
}
