// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The screen that results from bytes written to a terminal. Sequences that our programs do not write are errors.
package struct WrittenScreen {
    package struct Unknown: Error {
        let sequence: String
    }

    /// Modes that do not move text: synchronized output, alternate screen, cursor visibility, line wrap and bracketed paste.
    private static let modes: Set = ["[?2026", "[?1049", "[?25", "[?7", "[?2004"]

    private let width: Int
    private var rows: [[Character?]]
    private var (x, y) = (0, 0)

    package init(width: Int, height: Int) {
        self.width = width
        rows = Array(repeating: Array(repeating: " ", count: width), count: height)
    }

    package var lines: [String] {
        rows.map { row in
            var line = String(row.compactMap(\.self))
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    package mutating func write(_ bytes: [UInt8]) throws {
        var rest = Substring(decoding: bytes, as: UTF8.self)
        while let character = rest.popFirst() {
            if character == "\u{1b}" {
                let sequence = rest.prefix { !$0.isLetter }
                rest = rest.dropFirst(sequence.count)
                try control(String(sequence), rest.popFirst() ?? " ")
            } else {
                put(character)
            }
        }
    }

    private mutating func control(_ sequence: String, _ end: Character) throws {
        let numbers = sequence.dropFirst().split(separator: ";").compactMap { Int($0) }
        switch (end, sequence) {
        case ("m", _): break
        case ("h", _) where Self.modes.contains(sequence), ("l", _) where Self.modes.contains(sequence): break
        case ("J", "[2"): rows = rows.map { _ in Array(repeating: " ", count: width) }
        case ("H", _) where numbers.count == 2: (y, x) = (numbers[0] - 1, numbers[1] - 1)
        default: throw Unknown(sequence: "\(sequence)\(end)")
        }
    }

    /// Overwriting half of a wide character clears the other half.
    private mutating func put(_ character: Character) {
        let columns = String(character).width
        for column in x..<x + columns {
            if rows[y][column] == nil { rows[y][column - 1] = " " }
            if column + 1 < width, rows[y][column + 1] == nil { rows[y][column + 1] = " " }
            rows[y][column] = " "
        }
        rows[y][x] = character
        if columns == 2 { rows[y][x + 1] = nil }
        x += columns
    }
}
