// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Analytics
import AuditStore
import CrashStore
import Database
import DocumentStore
import EventStore
import FileStore
import FunctionStore
import MessageStore
package import Platform

/// The state of the stores for their operator: queue lengths and sizes.
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
    /// Frees the presence and the figures in memory that nobody asked for in the last minutes.
    package func forgetUnused() {
        analytics.forgetUnused()
    }

    /// Frees the page caches of the writer of events, which fill again with the next events.
    package func rest() async throws {
        try await events.change { context in
            try context.releaseMemory()
        }
    }

    /// Writes a small row after a failed commit, to detect that writing works again.
    ///
    /// A daemon that is not ready gets no requests, so no other commit would show it.
    package func probe() async throws {
        try await events.change { try $0.main.probe(at: $0.now) }
    }

    /// Returns when every writer has responded, with success or failure. A writer that hangs blocks the caller.
    package func writersRespond() async {
        await Stores.insist { try await events.change { _ in } }
        await Stores.insist { try await self.messages.change { _ in } }
        await Stores.insist { try await self.crashes.change { _ in } }
        await Stores.insist { try await self.audit.respond() }
        await Stores.insist { try await self.accounts.respond() }
        await Stores.insist { try await self.documents.respond() }
        await Stores.insist { try await self.files.respond() }
        await Stores.insist { try await self.functions.respond() }
    }

    /// Retries until the writer responds. A rejection by a full queue says nothing about the writer.
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
