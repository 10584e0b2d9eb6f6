// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
package import Files
package import Platform
import SQLite
import Synchronization

/// The file store: the database `files.db`, the bytes of files on the disk, its writer and its reads.
///
/// A row is the truth, and the bytes that it names never change:
///
///     upload    incoming/{id} → sync → files/{app}/{2 hex}/{id} → sync of the folder → row committed → response
///     replace   the row names other bytes; the old ones are in `leaving` until they are off the disk
///     killed    bytes without a row are removed at the next start
package final class FileStore: CompanionStore {
    package static let fileName = "files.db"
    package let gauges: FileGauges
    package let bounds: FileBounds
    package let linkKey: FileLinkKey
    package let activity = FileActivity()
    let folderMeter = FolderMeter()
    let engine: WriteEngine<FileWriter>
    let blobs: BlobFolder
    let ruleCache = FileRuleCache()
    let decisions = FileDecisions()
    let openUploads = OpenUploads()
    let inFlight = BlobsInFlight()
    let threads = FileThreads()
    let reserve: DiskReserve
    let spare: SpareSpace
    let reservations = FileReservations()
    let directory: DirectoryCache
    let mustEmptyLog = EmptyLogRequest()
    let readers: ReaderPool
    /// Reads of single files, which are short.
    private let lookUps: GroupReader<FileDB>
    let paths: StorePaths
    let clock: WallClock
    private let isClosed = Atomic(false)
    /// Signals that a file may wait for a function.
    package let pendingChanges: AsyncStream<Void>
    private let wakePending: AsyncStream<Void>.Continuation
    /// Signals that files may be waiting for their removal.
    private let leaves: AsyncStream<Void>
    let removeLeaving: AsyncStream<Void>.Continuation

    package init(_ shared: StoreParts, _ bounds: FileBounds, _ directory: DirectoryCache, _ metrics: Metrics = Metrics()) throws {
        (self.bounds, self.directory) = (bounds, directory)
        (paths, readers, clock) = (shared.paths, shared.readers, shared.clock)
        lookUps = GroupReader(of: shared.paths.fileRows, shared.readers.pool, label: "signalbox.files.readers")
        gauges = FileGauges(metrics)
        let file = try FileDB.open(writing: shared.paths.fileRows, cacheKiB: 8_192)
        guard let key = FileLinkKey(try file.linkKey()) else {
            throw StoreError.damaged(path: shared.paths.fileRows, reason: "it has no key of links")
        }
        linkKey = key
        blobs = try BlobFolder(shared.paths)
        reserve = DiskReserve(shared.paths.root, bounds.reserveBytes)
        spare = shared.spare
        spare.allocate()
        (leaves, removeLeaving) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        removeLeaving.yield()
        (pendingChanges, wakePending) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        wakePending.yield()
        let context = try FileContext(file, bounds, reservations, shared.clock, activity, openUploads)
        let queue = WriteQueue<Change<FileContext>>(.changes(bounds.queue, bytes: bounds.queueBytes), full: .tooManyChanges(to: "files"))
        engine = WriteEngine(queue, FileWriter(context, shared, gauges, mustEmptyLog))
    }

    /// Forgets open uploads and files to remove: a backup has neither.
    package static func prepareRestored(_ path: String) throws { try FileDB.change(path) { try $0.forgetUnfinished() } }

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in self.leaves { await self.removeLeavingBlobs() } }
            group.addTask { await onOwnThread("signalbox.files.sweep") { self.sweep() } }
            await engine.run(on: "signalbox.files") { [removeLeaving, wakePending, openUploads] committed in
                // Closed first: an upload that goes on to write would make its file again.
                for id in committed.endedUploads { openUploads.remove(id)?.close() }
                if committed.leaves { removeLeaving.yield() }
                if committed.holds { wakePending.yield() }
            }
            isClosed.store(true, ordering: .relaxed)
            removeLeaving.finish()
            wakePending.finish()
            lookUps.end()
        }
        openUploads.clear()
    }

    package func close() { engine.close() }

    package var now: Timestamp { clock.now() }

    var isRunning: Bool { !isClosed.load(ordering: .relaxed) }

    /// Throws the rejection that a change of an app would get now.
    package func checkCapacity(for app: AppID?) throws(Refusal) { try engine.queue.checkCapacity(for: app) }

    /// Returns when the writer has responded.
    package func respond() async throws { try await change { _ in } }

    func change<T: Sendable>(
        _ app: AppID? = nil, bytes: Int = 0, _ body: @escaping @Sendable (FileContext) throws -> T
    ) async throws -> T {
        try await Change.result(of: body, app: app, bytes: bytes, madeBy: engine.queue.add)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (FileDB) throws -> T) async throws -> T {
        try await readers.read { session in try session.withFiles(body) }
    }

    /// Reads a few rows by keys, together with other such reads.
    func lookUp<T: Sendable>(_ body: @escaping @Sendable (FileDB) throws -> T) async throws -> T { try await lookUps.read(body) }
}
