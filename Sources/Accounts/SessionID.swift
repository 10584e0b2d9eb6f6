// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The ID of a session: 16 bytes in the order of their creation, 32 hexadecimal digits as text.
package struct SessionID: Hashable, Sendable {
    private let id: UUID128

    package static func make(at time: Timestamp) -> SessionID {
        var generator = UUIDv7Generator()
        return SessionID(generator.next(at: time))
    }

    private init(_ id: UUID128) {
        self.id = id
    }

    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 32, digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        id = UUID128(high: high, low: low)
    }

    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        id = UUID128(networkBytes: bytes)
    }

    package var bytes: [UInt8] { id.bytes }
    /// The time of its creation, to the millisecond.
    package var created: Timestamp { Timestamp(milliseconds: Int64(id.high >> 16)) }
    package var text: String { String(decoding: id.text.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self) }
}
