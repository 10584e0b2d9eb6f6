// SPDX-License-Identifier: Apache-2.0

import Platform

/// The parts of a message that name the fault where the exception's type does not. They count besides the frames.
///
///     ERROR 23505 (unique_violation) duplicate key…                       →  23505
///     SQLSTATE[23000]: Integrity constraint violation                     →  23000
///     called `Result::unwrap()` on an `Err` value: Os { code: 2, … }      →  Os
enum FaultText {
    /// The length in which a message names its fault.
    private static let longest = 512

    /// Whether an error of a browser says that the stack is full. Engines differ in its type and text.
    static func isOverflow(_ type: String, _ message: String) -> Bool {
        switch type {
        case "RangeError": message.utf8.starts(with: "Maximum call stack size exceeded".utf8)
        case "InternalError": message.utf8.starts(with: "too much recursion".utf8)
        default: false
        }
    }

    /// Returns the SQLSTATE in the message of a database.
    static func databaseState(of message: String) -> ArraySlice<UInt8>? {
        let text = Array(message.utf8.prefix(longest))[...]
        var rest: ArraySlice<UInt8>
        if text.begins(with: postgresError) {
            rest = text.dropFirst(postgresError.count)
        } else if let start = text.indices.first(where: { text[$0] == sqlState[0] && text[$0...].begins(with: sqlState) }) {
            rest = text[(start + sqlState.count)...].drop { behindState.contains($0) }
        } else {
            return nil
        }
        let state = rest.prefix { $0.isDigit || $0.isLetter && $0 < 0x60 }
        rest = rest[state.endIndex...]
        return state.count == 5 && state.contains(where: \.isDigit) && rest.first?.isWord != true ? state : nil
    }

    /// Returns the name of the error that a panic of Rust prints behind its own text. A value has no name.
    static func unwrappedError(in message: String) -> ArraySlice<UInt8>? {
        let text = Array(message.utf8.prefix(longest))[...]
        guard let colon = text.indices.first(where: { text[$0] == UInt8(ascii: ":") && text[$0...].dropFirst().first == 0x20 }) else { return nil }
        let printed = text[(colon + 2)...]
        guard let first = printed.first, first.isLetter, first < 0x60 else { return nil }
        let name = printed.prefix(while: \.isWord)
        let rest = printed[name.endIndex...]
        let isStructure = rest.first == UInt8(ascii: "(") || rest.begins(with: openBrace)
        let isUnwrapped = text[..<colon].suffix(errValue.count).elementsEqual(errValue)
        return isStructure || isUnwrapped && rest.isEmpty ? name : nil
    }

    private static let postgresError = Array("ERROR ".utf8)
    private static let sqlState = Array("SQLSTATE".utf8)
    private static let behindState = ByteSet(" [:=(")
    private static let openBrace = Array(" {".utf8)
    private static let errValue = Array("`Err` value".utf8)
}
