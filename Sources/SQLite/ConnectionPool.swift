// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Read-only connections between two questions, so that the next one need not open and read the schema again.
package final class ConnectionPool: Sendable {
    /// `@unchecked Sendable`: what lies in the pool is used by nobody, and whoever takes it out is its only user.
    private struct Idle: @unchecked Sendable {
        let path: String
        let connection: Connection
    }

    private let limit: Int
    /// The one that was used last comes last.
    private let idle = Mutex<[Idle]>([])

    package init(limit: Int) {
        self.limit = limit
    }

    /// Lends a connection to a file for as long as a closure runs.
    package func withConnection<T>(to path: String, _ body: (Connection) throws -> T) throws -> T {
        let connection = try take(path) ?? Connection(path, .read)
        defer { give(back: connection) }
        return try body(connection)
    }

    /// Closes what leads to files that are going away.
    package func forget(_ isGoing: (String) -> Bool) {
        _ = idle.withLock { idle in
            let going = idle.filter { isGoing($0.path) }
            idle.removeAll { isGoing($0.path) }
            return going.count
        }
    }

    private func take(_ path: String) -> Connection? {
        idle.withLock { idle in
            idle.lastIndex { $0.path == path }.map { idle.remove(at: $0) }
        }?.connection
    }

    private func give(back connection: Connection) {
        connection.limit(seconds: nil)
        if connection.inTransaction { connection.rollback() }
        connection.releaseMemory()
        let entry = Idle(path: connection.path, connection: connection)
        let oldest = idle.withLock { idle -> Idle? in
            idle.append(entry)
            return idle.count > limit ? idle.removeFirst() : nil
        }
        _ = oldest
    }
}
