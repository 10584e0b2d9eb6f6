// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into lines of bounded length.
///
///     take ab\ncd   →   [ab]        take e\n   →   [cde]
package struct LineBuffer: Sendable {
    private let limit: Int
    /// The line that has begun.
    private var line: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are held.
    package var count: Int { line.count }

    /// Returns the complete lines; nil once a line is too long.
    package mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        var lines: [[UInt8]] = []
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard line.count + (end - rest.startIndex) <= limit else { return nil }
            lines.append(line + rest[rest.startIndex..<end])
            line = []
            rest = rest[(end + 1)...]
        }
        guard line.count + rest.count <= limit else { return nil }
        line += rest
        return lines
    }

    /// Like `take`, for lines of a log: a long line is cut, and its rest is the next one.
    package mutating func takeCut(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes
        while !rest.isEmpty {
            let room = rest.prefix(limit - line.count)
            if let end = room.firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(line + room[room.startIndex..<end])
                line = []
                rest = rest[(end + 1)...]
            } else {
                line += room
                rest = rest[room.endIndex...]
                if line.count == limit {
                    lines.append(line)
                    line = []
                }
            }
        }
        return lines
    }

    /// Returns the line that has begun, at the end of the stream.
    mutating func takeRest() -> [UInt8] {
        defer { line = [] }
        return line
    }
}
