// SPDX-License-Identifier: Apache-2.0

import Crypto
package import AppDirectory
package import Platform

extension EventStore {
    package static let secondsOfAccessToken: Int64 = 3_600
    private static let prefix = "sb_at_"

    /// Returns an access token for a service account.
    ///
    /// It is valid for an hour in place of the account's key and is stored nowhere.
    ///
    /// The format is `sb_at_<key id>_<expiry>_<seal>`, with both numbers in base 36 and 32 hexadecimal digits of an HMAC.
    package func accessToken(for account: ServiceAccount) -> String {
        let expires = clock.now().milliseconds / 1_000 + EventStore.secondsOfAccessToken
        return "\(EventStore.prefix)\(String(account.key.id, radix: 36))_\(String(expires, radix: 36))_\(seal(account, expires))"
    }

    /// Returns the API key of a text, of the key itself or of a valid access token, and notes its use; nil for an expired key.
    package func key(_ text: String) -> APIKey? {
        let isToken = text.hasPrefix(EventStore.prefix)
        let found = isToken ? key(ofAccessToken: text.dropFirst(EventStore.prefix.count)) : directory.now.key(text)
        let now = clock.now()
        guard let found, found.isValid(at: now) else { return nil }
        keyUses.note(found.id, at: now)
        return found
    }

    /// Notes the use of a key that a token of a user stands for.
    package func noteUse(of key: APIKey) { keyUses.note(key.id, at: clock.now()) }

    private func key(ofAccessToken text: Substring) -> APIKey? {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, let id = Int64(parts[0], radix: 36), let expires = Int64(parts[1], radix: 36),
            let account = directory.now.accounts[id], constantTimeEqual(Array(parts[2].utf8), Array(seal(account, expires).utf8)),
            EventStore.isAlive(tokenUntil: expires, at: clock.now())
        else { return nil }
        return account.key
    }

    /// Rejects expired tokens, and those that expire too far ahead: they were issued while the clock was in the future and would live until
    /// then.
    ///
    /// A clock that was set back by at most `ClockTrust.leap` keeps its earlier tokens valid.
    private static func isAlive(tokenUntil expires: Int64, at now: Timestamp) -> Bool {
        let now = now.milliseconds / 1_000
        return now < expires && expires <= now + secondsOfAccessToken + ClockTrust.leap.milliseconds / 1_000
    }

    /// Returns 128 bits of an HMAC.
    ///
    /// It covers the public key, so a key ID that is given again after a restore from a backup opens nothing.
    private func seal(_ account: ServiceAccount, _ expires: Int64) -> String {
        let sealed = Array("access \(account.key.id) \(expires) ".utf8) + account.publicKey
        return String(Hex.encode(HMACSHA256.authenticate(sealed, key: tokenSecret)).prefix(32))
    }
}
