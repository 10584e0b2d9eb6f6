// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Database
import EventStore
import MessageStore
package import Platform
import SQLite

/// The store as its operator sees it.
package struct StoreStatus: Sendable {
    package struct Partition: Sendable {
        package var day: Day
        package var bytes: Int64
    }

    package var queuedEvents: Int
    package var queuedBytes: Int
    package var freeDiskBytes: Int64
    package var mainBytes: Int64
    package var messagesBytes: Int64
    package var crashesBytes: Int64
    package var partitions: [Partition]
}

extension Stores {
    /// Lets go of the writer's page caches, which fill again with the next events.
    package func rest() async throws {
        try await events.change { context in
            try context.releaseMemory()
        }
    }

    /// Writes something small, to see whether writing works again after a commit has failed; a daemon that nobody sends to because
    /// it is not ready would never know.
    package func probe() async throws {
        try await events.change { context in
            try context.main.statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('probe', ?)").run(.integer(context.now.milliseconds))
        }
    }

    /// Returns when every writer has come round, whether or not it could write. One that hangs keeps the caller waiting.
    package func writersAnswer() async {
        await Stores.insist { try await events.change { _ in } }
        await Stores.insist { try await self.messages.change { _ in } }
        await Stores.insist { try await self.crashes.change { _ in } }
    }

    /// Asks a writer until it is asked itself: a line that is full says nothing of who works behind it.
    private static func insist(_ ask: () async throws -> Void) async {
        while !Task.isCancelled {
            do {
                return try await ask()
            } catch let refusal as Refusal where refusal.code == .overloaded {
                try? await Task.sleep(for: .milliseconds(50))
            } catch {
                return
            }
        }
    }

    package func status() async throws -> StoreStatus {
        let paths = paths
        let partitions = try await readers.read { session in
            try session.days().map { day in
                let path = paths.file(of: day)
                return StoreStatus.Partition(day: day, bytes: Folder.size(of: path) + Folder.size(of: path + "-wal"))
            }
        }
        let queue = events.queued
        return StoreStatus(
            queuedEvents: queue.events, queuedBytes: queue.bytes, freeDiskBytes: try Folder.freeBytes(at: paths.root),
            mainBytes: Folder.size(of: paths.main) + Folder.size(of: paths.main + "-wal"),
            messagesBytes: Folder.size(of: paths.messages) + Folder.size(of: paths.messages + "-wal"),
            crashesBytes: Folder.size(of: paths.crashes) + Folder.size(of: paths.crashes + "-wal"), partitions: partitions)
    }
}
