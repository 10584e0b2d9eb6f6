// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What names a build of a binary and its symbols: a UUID and, on Windows and in Breakpad's files, an age.
package struct DebugID: Hashable, Sendable {
    package var uuid: UUID128
    package var age: UInt32

    package init(uuid: UUID128, age: UInt32 = 0) {
        self.uuid = uuid
        self.age = age
    }

    /// Reads 32 digits or 36 characters, with an age behind them: after a dash, or as Breakpad writes it at once behind the digits.
    package init?(_ text: String) {
        let digits = text.utf8.filter { $0 != 0x2d }
        guard (32...40).contains(digits.count), text.utf8.count <= 48 else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        func word(_ digits: ArraySlice<Int>) -> UInt64 { digits.reduce(0) { $0 << 4 | UInt64($1) } }
        uuid = UUID128(high: word(values[0..<16]), low: word(values[16..<32]))
        age = UInt32(word(values[32...]))
    }

    /// The 36 lower-case characters, and the age where there is one.
    package var text: String {
        let id = String(decoding: uuid.text, as: UTF8.self)
        return age == 0 ? id : "\(id)-\(String(age, radix: 16))"
    }
}
