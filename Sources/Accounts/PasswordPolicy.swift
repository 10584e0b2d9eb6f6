// SPDX-License-Identifier: Apache-2.0

/// The rules for new passwords. Any text is allowed but a short, a very long or a common one.
package enum PasswordPolicy {
    package enum Problem: Sendable, Equatable {
        case tooShort(least: Int)
        case tooLong(most: Int)
        case common
    }

    private static let least = 8
    private static let leastInDevelopment = 6
    package static let most = 1_024

    /// The number of bytes that a password must have.
    package static func least(isDevelopment: Bool) -> Int { isDevelopment ? leastInDevelopment : least }

    package static func problem(of password: String, isDevelopment: Bool) -> Problem? {
        let (count, least) = (password.utf8.count, least(isDevelopment: isDevelopment))
        if count < least { return .tooShort(least: least) }
        if count > most { return .tooLong(most: most) }
        return isCommon(password) ? .common : nil
    }

    private static func isCommon(_ password: String) -> Bool {
        let lower = password.lowercased()
        let first = lower.utf8.first
        let bytes = Array(lower.utf8)
        return CommonPasswords.words.contains(bytes) || others.contains { bytes.elementsEqual($0.utf8) } || lower.utf8.allSatisfy { $0 == first }
            || isSequence(bytes)
    }

    /// Whether each byte is the next or the last one: `12345678`, `abcdefgh`, `87654321`.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        let steps = Set(zip(bytes, bytes.dropFirst()).map { Int($1) - Int($0) })
        return steps == [1] || steps == [-1]
    }

    /// Words of other languages and forms that the list of `CommonPasswords` lacks.
    private static let others = [
        "michelle", "jennifer", "chocolate", "administrator", "12341234", "123123123", "0123456789", "987654321", "login123", "guest123",
        "secret12", "passwort1", "geheim12", "contraseña",
    ]
}
