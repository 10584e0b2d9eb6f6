import Glibc

/// The lines of an NDJSON body that hold something, with their line ends cut off.
package struct JSONLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package mutating func next() -> Range<Int>? {
        while position < bytes.count {
            let end = lineEnd(from: position)
            let line = trimmed(position..<end)
            position = end + 1
            if !line.isEmpty { return line }
        }
        return nil
    }

    private func lineEnd(from start: Int) -> Int {
        bytes.withUnsafeBytes { all in
            // The pointers do not leave this closure.
            guard let base = all.baseAddress, let found = memchr(base + start, 0x0a, all.count - start) else { return all.count }
            return UnsafeRawPointer(found) - base
        }
    }

    private func trimmed(_ line: Range<Int>) -> Range<Int> {
        var (from, to) = (line.lowerBound, line.upperBound)
        while from < to, JSONLines.isSpace(bytes[from]) { from += 1 }
        while from < to, JSONLines.isSpace(bytes[to - 1]) { to -= 1 }
        return from..<to
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
}
