// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The identifier of a binary's build, shared by the binary and its symbol file: a UUID, and an age on Windows and in Breakpad files.
package struct DebugID: Hashable, Sendable {
    package var uuid: UUID128
    package var age: UInt32

    package init(uuid: UUID128, age: UInt32 = 0) {
        self.uuid = uuid
        self.age = age
    }

    /// Reads 32 hexadecimal digits or 36 characters, followed by an optional age: `…c14e`, `…c14e-1f` (Sentry), or `…C14E1F` without dashes
    /// (Breakpad).
    package init?(_ text: String) {
        let digits = text.utf8.filter { $0 != 0x2d }
        guard (32...40).contains(digits.count), text.utf8.count <= 48 else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        func word(_ digits: ArraySlice<Int>) -> UInt64 { digits.reduce(0) { $0 << 4 | UInt64($1) } }
        uuid = UUID128(high: word(values[0..<16]), low: word(values[16..<32]))
        age = UInt32(word(values[32...]))
    }

    /// The UUID as 36 lower-case characters, followed by `-AGE` if the age is not 0.
    package var text: String {
        let id = String(decoding: uuid.text, as: UTF8.self)
        return age == 0 ? id : "\(id)-\(String(age, radix: 16))"
    }
}
