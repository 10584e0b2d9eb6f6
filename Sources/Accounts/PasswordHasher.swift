// SPDX-License-Identifier: Apache-2.0

package import Crypto
import Dispatch
import Glibc
package import Platform
import Synchronization

/// Too many passwords wait for a hash thread.
package struct HasherBusy: Error {}

package enum PasswordVerdict: Sendable {
    case wrong
    /// The password is right. With a new hash to store if the old one was weaker.
    case right(rehashed: PasswordHash?)
}

/// Hash threads: as many as cores, with a lower priority and longer slices than all other threads, each with memory of its own.
///
/// At most 64 passwords wait, each for at most five seconds. Hashing never runs on event loops or writers.
package final class PasswordHasher: Sendable {
    private struct Job: Sendable {
        var deadline: ContinuousClock.Instant
        /// Hashes, and returns what then answers. The hash is counted in between, so a client's next request finds it counted.
        var run: @Sendable (borrowing Argon2Arena) -> @Sendable () -> Void
        var reject: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting: [Job] = []
        var threads: [SystemThread] = []
        var hasEnded = false
        var refused = 0
        var hashed = 0
        var nanoseconds: Int64 = 0
    }

    private static let mostWaiting = 64

    /// Threads that had nothing to do for so long return their memory.
    private static let idle = DispatchTimeInterval.seconds(30)

    private let secrets: HashSecrets
    private let cost: Argon2
    private let count: Int
    private let patience: Duration
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter patience: The longest time that a password waits for a thread.
    package init(_ key: AccountsKey, threads: Int = PasswordHasher.cores, cost: Argon2 = .standard, patience: Duration = .seconds(5)) {
        (secrets, count, self.cost, self.patience) = (HashSecrets(key), threads, cost, patience)
    }

    package func start() throws(SystemError) {
        for _ in 0..<count {
            let thread = try SystemThread { [self] in work() }
            state.withLock { $0.threads.append(thread) }
        }
    }

    /// Ends the threads after the passwords that wait, and returns when they have ended.
    package func end() {
        let threads = state.withLock { state in
            state.hasEnded = true
            defer { state.threads = [] }
            return state.threads
        }
        for _ in threads { wake.signal() }
        for thread in threads { thread.join() }
        // Jobs still wait here if no thread could be started.
        let left = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in left { job.reject() }
    }

    package var figures: (waiting: Int, refused: Int, hashed: Int, nanoseconds: Int64) {
        state.withLock { ($0.waiting.count, $0.refused, $0.hashed, $0.nanoseconds) }
    }
}

// MARK: - Hashing

extension PasswordHasher {
    /// The number of cores.
    package static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    package func hash(_ password: String) async throws(HasherBusy) -> PasswordHash {
        let (bytes, cost, secrets) = (Array(password.utf8), cost, secrets)
        let made = try await onThread { arena in PasswordHasher.hash(bytes, cost, secrets, arena) }
        guard let made else { throw HasherBusy() }
        return made
    }

    /// Returns a fast hash of an import inside Argon2id, and any other as it is.
    package func wrap(_ hash: PasswordHash) async throws(HasherBusy) -> PasswordHash {
        guard hash.isFast else { return hash }
        let (cost, secrets) = (cost, secrets)
        let made = try await onThread { arena in hash.wrapped(cost, secrets, arena) }
        guard let made else { throw HasherBusy() }
        return made
    }

    /// Compares a password with a hash. Without a hash it costs the same and is wrong.
    ///
    /// A right password of a hash with another cost or function is hashed anew at once.
    package func verify(_ password: String, against hash: PasswordHash?) async throws(HasherBusy) -> PasswordVerdict {
        let (bytes, cost, secrets) = (Array(password.utf8), cost, secrets)
        return try await onThread { arena in
            guard let hash else {
                _ = cost.key(bytes, salt: PasswordHasher.strangersSalt, secret: secrets.pepper, arena: arena)
                return .wrong
            }
            guard hash.matches(bytes, secrets, arena) else { return .wrong }
            return .right(rehashed: hash.isOutdated(cost) ? PasswordHasher.hash(bytes, cost, secrets, arena) : nil)
        }
    }

    private static let strangersSalt = [UInt8](repeating: 0x5a, count: 16)

    private static func hash(_ password: [UInt8], _ cost: Argon2, _ secrets: HashSecrets, _ arena: borrowing Argon2Arena) -> PasswordHash? {
        let salt = randomBytes(16)
        return cost.key(password, salt: salt, secret: secrets.pepper, arena: arena).map { PasswordHash(.argon2(cost), salt: salt, key: $0) }
    }

    private func onThread<T: Sendable>(_ work: @escaping @Sendable (borrowing Argon2Arena) -> T) async throws(HasherBusy) -> T {
        let result: T? = await withCheckedContinuation { continuation in
            let job = Job(
                deadline: .now + patience,
                run: { arena in
                    let result = work(arena)
                    return { continuation.resume(returning: result) }
                }, reject: { continuation.resume(returning: nil) })
            let isQueued = state.withLock { state in
                guard !state.hasEnded, state.waiting.count < PasswordHasher.mostWaiting else {
                    state.refused += 1
                    return false
                }
                state.waiting.append(job)
                return true
            }
            if isQueued { wake.signal() } else { job.reject() }
        }
        guard let result else { throw HasherBusy() }
        return result
    }

    /// The loop of one thread.
    private func work() {
        OwnProcess.givePrecedenceToOtherThreads()
        OwnProcess.runInLongSlices()
        var arena = Argon2Arena()
        while true {
            if wake.wait(timeout: .now() + PasswordHasher.idle) == .timedOut {
                arena.release()
                wake.wait()
            }
            let (job, hasEnded) = state.withLock { state in (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.hasEnded) }
            guard let job else {
                if hasEnded { return }
                continue
            }
            guard .now < job.deadline else {
                state.withLock { $0.refused += 1 }
                job.reject()
                continue
            }
            let start = ContinuousClock.now
            let answer = job.run(arena)
            let time = ContinuousClock.now - start
            state.withLock { state in
                state.hashed += 1
                state.nanoseconds += Int64(time / .nanoseconds(1))
            }
            answer()
        }
    }
}
