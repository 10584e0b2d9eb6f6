// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Events
import Glibc
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct ReadersTests {
    @Test(.timeLimit(.minutes(5))) func `large queries do not block small ones`() async throws {
        try await withStore { store in
            let (app, _) = try await store.events.createAppWithKeys(named: "shop")
            let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                // More than run at once. None ends before it is released.
                for _ in 0..<QueryLane.atOnce * 2 {
                    group.addTask {
                        try await store.readers.read(.large) { _ in
                            begun.signal()
                            release.wait()
                        }
                    }
                }
                await waitOnThread(begun)
                let parameters = QueryParameters([], settings: AppSettings(), now: WallClock.system.now())
                _ = try await store.result(of: try Query(.realtime, parameters), app: app.id)
                for _ in 0..<QueryLane.atOnce * 2 { release.signal() }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: [nil, QueryCaller(AppID(rawValue: 1), client: 1)])
    func `large queries run at a low priority`(caller: QueryCaller?) async throws {
        try await withStore { store in
            let niceness = try await store.readers.read(.large, for: caller) { _ in getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
            #expect(niceness >= 10)
        }
    }

    @Test func `a place that pauses is empty for as long as its query took`() async throws {
        let (lane, time) = (QueryLane(.background, atOnce: 1, pauses: true), Duration.milliseconds(20))
        let ended = try await lane.run { () -> ContinuousClock.Instant in
            let begin = ContinuousClock.now
            while ContinuousClock.now - begin < time {}
            return ContinuousClock.now
        }
        let next = try await lane.run { ContinuousClock.now }
        #expect(next - ended >= time)
    }

    @Test(.timeLimit(.minutes(5))) func `giving up queries ends pending ones and rejects new ones`() async throws {
        try await withStore { store in
            let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let answer = Task {
                try await store.readers.read { _ in
                    begun.signal()
                    release.wait()
                }
            }
            await waitOnThread(begun)
            store.giveUpQueries()
            await #expect(throws: Refusal.self) { try await answer.value }
            await #expect(throws: Refusal.self) { try await store.readers.read { _ in } }
            release.signal()
        }
    }

    /// Continues tasks at once, within what resumed them, and notes how deeply that was nested.
    private final class NestingExecutor: TaskExecutor {
        private let depth = Mutex(0)
        private let deepest = Mutex(0)

        var most: Int { deepest.withLock { $0 } }

        func enqueue(_ job: consuming ExecutorJob) {
            let now = depth.withLock { depth in
                depth += 1
                return depth
            }
            deepest.withLock { $0 = max($0, now) }
            UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
            depth.withLock { $0 -= 1 }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `giving up many waiting queries does not nest them`() async throws {
        try await withStore { store in
            let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let running = (0..<QueryLane.atOnce).map { _ in
                Task {
                    try await store.readers.read { _ in
                        begun.signal()
                        release.wait()
                    }
                }
            }
            for _ in running { await waitOnThread(begun) }
            let executor = NestingExecutor()
            // Each begins at once, and waits for a place.
            let waiting = (0..<QueryLane.waitingLimit).map { _ in
                Task(executorPreference: executor) { try await store.readers.read { _ in } }
            }
            store.giveUpQueries()
            for query in running + waiting { await #expect(throws: Refusal.self) { try await query.value } }
            #expect(executor.most <= 4, "nested \(executor.most) deep")
            for _ in running { release.signal() }
        }
    }

    @Test func `all statements of a read see one version of a store's file`() async throws {
        try await withStore { store in
            let count = try await store.readers.read { session in
                try session.withCrashes { file in
                    func count() throws -> Int? { try file.statement("SELECT count(*) FROM former_issues").first { $0.int(0) } }
                    let before = try count()
                    let other = try Connection(session.paths.crashes, .write)
                    // The store's own writer may be in the middle of a transaction.
                    try other.execute("PRAGMA busy_timeout = 60000")
                    try other.execute("INSERT INTO former_issues (public, app, issue) VALUES ('iss_a', 1, 1)")
                    return (before, try count())
                }
            }
            #expect(count == (0, 0))
            let later = try await store.readers.read { session in
                try session.withCrashes { try $0.statement("SELECT count(*) FROM former_issues").first { $0.int(0) } }
            }
            #expect(later == 1)
        }
    }

    private func waitOnThread(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test(arguments: [
        ("metric=events", false), ("metric=users", false), ("metric=users&event=a", true), ("metric=sessions", true), ("metric=revenue", false),
        ("breakdown=name", false), ("breakdown=context.platform", true), ("metric=screen_views&breakdown=params.screen_name", false),
        ("filter=params.a=1", true), ("breakdown=params.screen_name", true), ("metric=revenue&event=a", true),
        ("metric=users&interval=minute&from=-1h", true),
    ])
    func `a query answered by counters is not large`(asked: String, isLarge: Bool) throws {
        let values = asked.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            return (name: parts[0], value: parts[1])
        }
        let query = try Query(.series, QueryParameters(values, settings: AppSettings(), now: WallClock.system.now()))
        #expect(query.mayReadRows == isLarge)
    }
}
