// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A pool of idle read-only connections, so that a query need not open the file and read the schema again.
package final class ConnectionPool: Sendable {
    /// `@unchecked Sendable`: pooled connections are idle, and a borrowed one has a single user.
    private struct Idle: @unchecked Sendable {
        let path: String
        let connection: Connection
    }

    private let limit: Int
    /// In order of last use, the most recent last.
    private let idle = Mutex<[Idle]>([])

    package init(limit: Int) {
        self.limit = limit
    }

    /// Runs a closure with a connection to a file.
    package func withConnection<T>(to path: String, _ body: (Connection) throws -> T) throws -> T {
        let connection = try take(path) ?? Connection(path, .read)
        defer { give(back: connection) }
        return try body(connection)
    }

    /// Closes connections to files that will be removed.
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
