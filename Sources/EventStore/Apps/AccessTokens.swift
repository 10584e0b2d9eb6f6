// SPDX-License-Identifier: Apache-2.0

import Crypto
package import AppDirectory
package import Platform

extension EventStore {
    package static let secondsOfAccessToken: Int64 = 3_600
    private static let prefix = "sb_at_"

    /// A text that is as good as the account's key for an hour, and is kept nowhere.
    package func accessToken(for account: ServiceAccount) -> String {
        let expires = clock.now().milliseconds / 1_000 + EventStore.secondsOfAccessToken
        return "\(EventStore.prefix)\(String(account.key.id, radix: 36))_\(String(expires, radix: 36))_\(seal(account, expires))"
    }

    /// The key that a text is, or that an access token stands for.
    package func key(_ text: String) -> APIKey? {
        text.hasPrefix(EventStore.prefix) ? key(ofAccessToken: text.dropFirst(EventStore.prefix.count)) : directory.now.key(text)
    }

    private func key(ofAccessToken text: Substring) -> APIKey? {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, let id = Int64(parts[0], radix: 36), let expires = Int64(parts[1], radix: 36),
            let account = directory.now.accounts[id], constantTimeEqual(Array(parts[2].utf8), Array(seal(account, expires).utf8)),
            EventStore.isAlive(tokenUntil: expires, at: clock.now())
        else { return nil }
        return account.key
    }

    /// One that was given while the clock stood in the future would live until then. By a clock that is set back by a day or two those of before
    /// live on: whoever has the right time gets no other then.
    private static func isAlive(tokenUntil expires: Int64, at now: Timestamp) -> Bool {
        let now = now.milliseconds / 1_000
        return now < expires && expires <= now + secondsOfAccessToken + ClockTrust.leap.milliseconds / 1_000
    }

    /// 128 bits that nobody else can make. The public key is part of it, so that a number that a restored folder gives again opens nothing.
    private func seal(_ account: ServiceAccount, _ expires: Int64) -> String {
        let sealed = Array("access \(account.key.id) \(expires) ".utf8) + account.publicKey
        return String(Hex.encode(HMACSHA256.authenticate(sealed, key: tokenSecret)).prefix(32))
    }
}
