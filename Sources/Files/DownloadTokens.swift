// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// The tokens in download URLs of Firebase's SDKs, whose holders read a file without a key.
///
///     https://files.example.com/v0/b/shop/o/users%2Fann%2Fa.png?alt=media&token=1795741200.x9Qm…
package enum DownloadTokens: String, CaseIterable, Sendable {
    /// A link's end and signature. It is of one version of the file, and stored nowhere.
    case expiring
    /// A random UUID, valid until it is revoked or the file is replaced.
    case permanent
    case none

    /// The tokens of a file change once in this time, so that caches see the same URL.
    private static let stepSeconds: Int64 = 3_600

    /// Returns a new token to store with a file; nil if none are stored.
    package func new() -> String? { self == .permanent ? String(decoding: UUID128(networkBytes: randomBytes(16)).text, as: UTF8.self) : nil }

    /// Returns the tokens of a file as clients get them, separated by commas; nil for none.
    ///
    /// - Parameters:
    ///   - file: A link to the version of the file, of any end.
    ///   - stored: The tokens that are stored with the file.
    package func text(of file: FileLink, stored: String?, at now: Timestamp, _ key: FileLinkKey) -> String? {
        switch self {
        case .none: return nil
        case .permanent: return stored.flatMap { $0.isEmpty ? nil : $0 }
        case .expiring:
            let seconds = now.milliseconds / 1_000 + FileLink.longestSeconds
            var link = file
            link.expires = seconds - seconds % DownloadTokens.stepSeconds
            return "\(link.expires).\(Base64URL.encode(link.signature(key)))"
        }
    }

    /// Whether a token opens a file.
    package func admit(_ token: String, to file: FileLink, stored: String?, at now: Timestamp, _ key: FileLinkKey) -> Bool {
        switch self {
        case .none: return false
        case .permanent:
            let given = Array(token.utf8)
            let known = stored?.utf8.split(separator: UInt8(ascii: ",")) ?? []
            return !given.isEmpty && known.reduce(false) { constantTimeEqual(Array($1), given) || $0 }
        case .expiring:
            let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
            guard parts.count == 2, let expires = FileLink.number(parts[0]), let signature = Base64URL.decode(parts[1]) else { return false }
            var link = file
            link.expires = expires
            return link.isSigned(signature, with: key) && !link.isOver(at: now)
        }
    }
}
