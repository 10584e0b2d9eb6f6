// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import Platform
import Synchronization

/// The threads that hash passwords. They start with the first password, because most daemons have no accounts.
final class AccountHashing: Sendable {
    private let store: AccountStore
    private let hasher = Mutex<PasswordHasher?>(nil)
    private let hasEnded = Atomic(false)

    init(store: AccountStore) {
        self.store = store
    }

    /// Returns the hash of a new password.
    func hash(_ password: String) async throws -> String {
        let hasher = try await ready()
        return try await AccountHashing.refusing { try await hasher.hash(password).stored }
    }

    /// Compares a password with a hash. Without a hash it takes as long and is wrong.
    func verify(_ password: String, against stored: String?) async throws -> PasswordVerdict {
        let hasher = try await ready()
        return try await AccountHashing.refusing { try await hasher.verify(password, against: stored.flatMap { PasswordHash(stored: $0) }) }
    }

    /// Returns the texts to store for hashes of an import. Fast ones are wrapped one after another, so that sign-ins find a thread.
    func stored(_ hashes: [PasswordHash?]) async throws -> [String?] {
        guard hashes.contains(where: { $0?.isFast == true }) else { return hashes.map { $0?.stored } }
        let hasher = try await ready()
        var texts: [String?] = []
        texts.reserveCapacity(hashes.count)
        for hash in hashes {
            guard let hash, hash.isFast else {
                texts.append(hash?.stored)
                continue
            }
            texts.append(try await AccountHashing.patiently { try await hasher.wrap(hash).stored })
        }
        return texts
    }

    /// Repeats work while sign-ins occupy all threads, for at most a minute.
    private static func patiently<T>(_ work: () async throws -> T) async throws -> T {
        for _ in 0..<60 {
            do { return try await work() } catch is HasherBusy { try await Task.sleep(for: .seconds(1)) }
        }
        return try await refusing(work)
    }

    /// Ends the threads once the last request is answered.
    func end() {
        hasEnded.store(true, ordering: .relaxed)
        hasher.withLock { $0.take() }?.end()
    }

    var figures: (waiting: Int, refused: Int, hashed: Int, nanoseconds: Int64) {
        hasher.withLock { $0?.figures } ?? (0, 0, 0, 0)
    }

    private func ready() async throws -> PasswordHasher {
        let key = try await store.prepareSecrets()
        if hasEnded.load(ordering: .relaxed) { throw Refusal.draining }
        return try hasher.withLock { hasher in
            if let hasher { return hasher }
            let made = PasswordHasher(key)
            try made.start()
            hasher = made
            return made
        }
    }

    private static func refusing<T>(_ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch is HasherBusy {
            throw Refusal(
                .tooManyAttempts, "Too many sign-ins are waiting.", hint: "Send the request again later.", retryAfterSeconds: 1)
        }
    }
}
