/// A piece of a submission's bytes: of its body, or of the text that had to be rewritten.
package struct ByteRange: Hashable, Sendable {
    package enum Source: UInt8, Sendable {
        case body, arena
    }

    package var offset: UInt32
    package var count: UInt32
    package var source: Source

    package init(offset: Int, count: Int, in source: Source = .body) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.count = UInt32(truncatingIfNeeded: count)
        self.source = source
    }

    package static let none = ByteRange(offset: 0, count: 0)
    package var isEmpty: Bool { count == 0 }
    package var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}
