// SPDX-License-Identifier: Apache-2.0

@testable import Accounts
import Crypto
import Testing

struct PasswordHasherTests {
    private static let key = AccountsKey.make()
    private static let cheap = Argon2(memoryKiB: 64, passes: 1, lanes: 1)

    /// Tries to hash passwords at once, and returns how many were rejected.
    private func hash(_ count: Int, with hasher: PasswordHasher, end: @escaping @Sendable () async -> Void = {}) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do throws(HasherBusy) {
                        _ = try await hasher.hash("correct horse")
                        return 0
                    } catch { return 1 }
                }
            }
            group.addTask {
                await end()
                return 0
            }
            return await group.reduce(0, +)
        }
    }

    @Test func `sixty-four passwords wait, and the others are rejected at once`() async {
        // Without a thread nothing is taken from the queue.
        let hasher = PasswordHasher(Self.key, threads: 0, cost: Self.cheap)
        let rejected = await hash(100, with: hasher) {
            while hasher.figures.refused < 36 { await Task.yield() }
            #expect(hasher.figures.waiting == 64)
            hasher.end()
        }
        #expect(rejected == 100 && hasher.figures.refused == 36 && hasher.figures.waiting == 0)
        #expect(await hash(1, with: hasher) == 1)
    }

    @Test func `a password that waited too long is rejected without being hashed`() async throws {
        let hasher = PasswordHasher(Self.key, threads: 1, cost: Self.cheap, patience: .zero)
        try hasher.start()
        #expect(await hash(10, with: hasher) == 10)
        #expect(hasher.figures.hashed == 0 && hasher.figures.refused == 10)
        hasher.end()
    }

    @Test func `an imported hash is replaced at the first right password`() async throws {
        let hasher = PasswordHasher(Self.key, threads: 2, cost: Self.cheap)
        try hasher.start()
        let fast = try #require(HashImport(HashImport.Parameters(algorithm: "SHA256"), Self.key).hash(SHA256.hash(Array("secret".utf8)), salt: []))
        let wrapped = try await hasher.wrap(fast)
        #expect(fast.isFast && !wrapped.isFast && wrapped.stored.hasPrefix("$sha256$i=1,o=p$$argon2id$v=19$m=64,t=1,p=1$"))
        #expect(try await hasher.wrap(wrapped) == wrapped)
        guard case .wrong = try await hasher.verify("Secret", against: wrapped) else { Issue.record("right"); return }
        guard case .right(let new?) = try await hasher.verify("secret", against: wrapped) else { Issue.record("not replaced"); return }
        #expect(new.stored.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
        guard case .right(nil) = try await hasher.verify("secret", against: new) else { Issue.record("replaced again"); return }
        hasher.end()
    }

    @Test func `common passwords are rejected, and long phrases are not`() {
        #expect(CommonPasswords.words.count == 3_300)
        for common in ["password1", "Sunshine", "TRUSTNO1", "passwort1", "11111111", "23456789", "hgfedcba"] {
            #expect(PasswordPolicy.problem(of: common, isDevelopment: false) == .common, "\(common)")
        }
        for good in ["correct horse battery", "a b c d e", "\u{1f40e}\u{1f40e}", "   x    "] {
            #expect(PasswordPolicy.problem(of: good, isDevelopment: false) == nil, "\(good)")
        }
        #expect(PasswordPolicy.problem(of: "abcdefg", isDevelopment: false) == .tooShort(least: 8))
        #expect(PasswordPolicy.problem(of: "123456", isDevelopment: true) == .common)
        #expect(PasswordPolicy.problem(of: "ab1cde", isDevelopment: true) == nil)
        #expect(PasswordPolicy.problem(of: String(repeating: "ab", count: 512), isDevelopment: false) == nil)
        #expect(PasswordPolicy.problem(of: String(repeating: "ab", count: 512) + "c", isDevelopment: false) == .tooLong(most: 1_024))
    }
}
