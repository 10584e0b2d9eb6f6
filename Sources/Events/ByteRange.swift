// SPDX-License-Identifier: Apache-2.0

/// A range of a submission's bytes: in its body, or in the arena of rewritten text.
///
/// It is public because the compiler inlines only public declarations into other modules.
@frozen public struct ByteRange: Hashable, Sendable {
    @frozen public enum Source: UInt8, Sendable {
        case body, arena
    }

    public var offset: UInt32
    public var count: UInt32
    public var source: Source

    @inlinable public init(offset: Int, count: Int, in source: Source = .body) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.count = UInt32(truncatingIfNeeded: count)
        self.source = source
    }

    @inlinable public static var none: ByteRange { ByteRange(offset: 0, count: 0) }
    @inlinable public var isEmpty: Bool { count == 0 }
    @inlinable public var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}
