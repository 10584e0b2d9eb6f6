// SPDX-License-Identifier: Apache-2.0

/// The rules for project IDs, which stand in paths beside words of the API: `/v1/auth/my-shop/jwks.json`.
package enum ProjectName {
    /// Words that follow `/v1/auth/` or another prefix in a route, and words that Google's paths use in the place of a project.
    private static let reserved: Set<String> = [
        "accounts", "action", "audit", "certs", "codes", "config", "default", "figures", "jwks", "keys", "passkeys", "projects", "second-factor",
        "sign-in",
        "sign-out", "sign-up", "state", "tenants", "token", "tokens", "user", "users", "verify", "well-known",
    ]

    /// Whether a text has the form of a project ID: `my-shop-4f2a`. A number is none, because it is the default of its app.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (4...63).contains(bytes.count), let first = bytes.first, isLetter(first), bytes.last != UInt8(ascii: "-") else { return false }
        return bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } && !reserved.contains(text)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }
}
