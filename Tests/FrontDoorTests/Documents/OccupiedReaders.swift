// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform

@testable import AcrossStores
@testable import Database
@testable import ingestd

/// Threads of the reader pool that have something else to do.
enum OccupiedReaders {
    static let user = QueryCaller(AppID(rawValue: 0), client: 0)

    /// Occupies all places for reads of a cost while a closure runs.
    ///
    /// - Parameter caller: The user whose reads take the places; nil for those of servers.
    static func use<T: Sendable>(
        _ live: LiveDaemon, _ cost: ReaderPool.Cost, for caller: QueryCaller?, _ body: () async throws -> T
    ) async throws -> T {
        let (began, begins) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let places = caller != nil && cost == .large ? QueryLane.atOnceOfUsers : QueryLane.atOnce
        return try await withThrowingTaskGroup(of: Void.self) { group async throws -> T in
            for _ in 0..<places {
                group.addTask {
                    try await live.daemon.store.readers.read(cost, for: caller) { _ in
                        begins.yield()
                        release.wait()
                    }
                }
            }
            defer { for _ in 0..<places { release.signal() } }
            var beginning = began.makeAsyncIterator()
            for _ in 0..<places { _ = await beginning.next() }
            return try await body()
        }
    }
}
