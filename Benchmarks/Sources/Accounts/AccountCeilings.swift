// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Foundation
import JOSE
import Platform
import Synchronization

/// Bare operations beside which figures of accounts count: Argon2id, RSA, and the checks of ID tokens.
enum AccountCeilings {
    /// Argon2id on as many threads as the daemon has for it.
    static func hashes(_ options: Options) {
        let (done, group) = (Counted(), DispatchGroup())
        let start = monotonicSeconds()
        for _ in 0..<PasswordHasher.cores {
            group.enter()
            Thread.detachNewThread {
                let arena = Argon2Arena()
                let password = Array(AccountFill.password.utf8)
                while done.count.add(1, ordering: .relaxed).oldValue < options.requests {
                    _ = Argon2.standard.key(password, salt: [UInt8](repeating: 7, count: 16), arena: arena)
                }
                group.leave()
            }
        }
        group.wait()
        print("\(options.name): \(String(format: "%.1f", Double(options.requests) / (monotonicSeconds() - start))) hashes/s")
    }

    private final class Counted: Sendable {
        let count = Atomic(0)
    }

    /// Signing, and checking new and known tokens, on one thread.
    static func tokens(_ options: Options) throws {
        let now = WallClock.system.now()
        let key = SigningKey.make(from: now, until: now + .days(90))
        let own = OwnTokens(keys: [key.published], issuers: ["https://signals.example/v1/auth/"])
        var texts: [String] = []
        measure("signed", options.requests) { number in texts.append(token(number, now).signed(by: key)) }
        print("a token has \(texts[0].utf8.count) bytes")
        let parts = texts.map { text in
            let pieces = text.split(separator: ".")
            return (signature: Base64URL.decode(pieces[2]) ?? [], signed: Array("\(pieces[0]).\(pieces[1])".utf8))
        }
        var valid = 0
        measure("bare RSA, verified", texts.count) { number in
            if key.published.publicKey.isValid(parts[number].signature, of: parts[number].signed) { valid += 1 }
        }
        let checked = CheckedTokens()
        measure("new, checked", texts.count) { number in if (try? checked.check(texts[number], with: own, now: now)) != nil { valid += 1 } }
        let known = Array(texts.prefix(4_096))
        for text in known { _ = try checked.check(text, with: own, now: now) }
        measure("known, checked", 100 * known.count) { number in
            if (try? checked.check(known[number % known.count], with: own, now: now)) != nil { valid += 1 }
        }
        guard valid == 2 * texts.count + 100 * known.count else { throw BenchmarkError("only \(valid) tokens were valid") }
    }

    private static func token(_ number: Int, _ now: Timestamp) -> IDToken {
        var token = IDToken(
            issuer: "https://signals.example/v1/auth/1", audience: "1", subject: AccountID.make(), app: 1, issued: now, authenticated: now,
            method: "password")
        (token.key, token.session, token.generation) = (1, SessionID.make(at: now).text, UInt32(number))
        (token.email, token.isEmailVerified, token.name) = (AccountFill.address(number), true, "Ana Example")
        token.identities = [.init(provider: "email", subjects: [AccountFill.address(number)])]
        return token
    }

    private static func measure(_ name: String, _ count: Int, _ work: (Int) -> Void) {
        let start = monotonicSeconds()
        for number in 0..<count { work(number) }
        print("\(name): \(Int(Double(count) / (monotonicSeconds() - start)))/s")
    }
}
