// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A place in a request that is different in each run, of a fixed width.
///
///     {id}            20 hexadecimal digits; the first 12 are the time unless IDs are random
///     {below 1000}    a random number, with leading zeros: 042
///     {next}          the number of the request, seven digits, counted over all connections
///     {now}           the microseconds of the monotonic clock, 15 digits
struct RequestSlot {
    enum Kind {
        /// 36 characters, in requests that are not texts.
        case uuid
        case id
        case decimal(below: Int)
        case next(RequestCounter)
        case now
    }

    let offset: Int
    let kind: Kind

    init(_ offset: Int, _ kind: Kind) {
        (self.offset, self.kind) = (offset, kind)
    }

    var width: Int {
        switch kind {
        case .uuid: 36
        case .id: 20
        case .decimal(let bound): String(bound - 1).count
        case .next: 7
        case .now: 15
        }
    }

    /// Returns a text with zeros in its slots, and the slots.
    static func parse(_ text: String) -> (bytes: [UInt8], slots: [RequestSlot]) {
        var (bytes, slots): ([UInt8], [RequestSlot]) = ([], [])
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            bytes += Array(rest[..<start].utf8)
            rest = rest[start...]
            if let end = rest.firstIndex(of: "}"), let kind = kind(rest[rest.index(after: start)..<end]) {
                let slot = RequestSlot(bytes.count, kind)
                slots.append(slot)
                bytes += [UInt8](repeating: 0x30, count: slot.width)
                rest = rest[rest.index(after: end)...]
            } else {
                bytes.append(0x7b)
                rest = rest.dropFirst()
            }
        }
        return (bytes + Array(rest.utf8), slots)
    }

    private static func kind(_ name: Substring) -> Kind? {
        switch name {
        case "id": .id
        case "next": .next(.shared)
        case "now": .now
        default: name.hasPrefix("below ") ? Int(name.dropFirst(6)).map { .decimal(below: $0) } : nil
        }
    }
}

/// Counts from zero, for all connections.
final class RequestCounter: Sendable {
    static let shared = RequestCounter()
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
