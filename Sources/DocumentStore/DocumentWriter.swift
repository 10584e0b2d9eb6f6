// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// The only writer of `documents.db`. Between commits it removes old changes from the log.
final class DocumentWriter: ChangeWriter {
    private static let choresAfter = Duration.seconds(60)
    private static let expiryAfter = Duration.seconds(20)
    /// The pages of the log after which they are copied. Commits wait for it, so the pieces are small: with 4,000 pages the slowest hundredth of
    /// 25,000 sets a second took twice as long.
    private static let checkpointPages = 300
    private static let sliceAfterFailure = Duration.seconds(5)
    /// The time after a failed commit or checkpoint when the writer tries one of its own, as clients may wait until the daemon is ready.
    private static let triedAfterFailure = Duration.seconds(5)
    /// The free bytes of a disk that is no longer full. A small commit may succeed without them, in space that the log has already.
    private static let freeAfterFull: Int64 = 256 << 10
    /// The time for which an index is built at once: the least, and the most if no commit waits.
    private static let slice = (least: Duration.microseconds(500), most: Duration.milliseconds(5))

    private let context: DocumentContext
    let files: WriterFiles
    private let bounds: DocumentBounds
    private let mustEmptyLog: EmptyLogRequest
    private let clockWatch: ClockWatch
    private let folder: String
    private let shapes: QueryShapes
    private let commitsWait: () -> Bool
    /// Whether an index that is built has the next turn, rather than expired documents and chores.
    private var isBuildersTurn = true
    private var nextChores = ContinuousClock.now + DocumentWriter.choresAfter
    private var nextExpiry = ContinuousClock.now
    private var nextSlice = ContinuousClock.now
    private var lastEmptyCollection: Int64 = 0

    /// - Parameter commitsWait: Tells whether commits are queued.
    init(
        _ context: DocumentContext, _ bounds: DocumentBounds, _ shared: StoreParts, _ mustEmptyLog: EmptyLogRequest, _ shapes: QueryShapes,
        commitsWait: @escaping () -> Bool
    ) {
        (self.commitsWait, folder) = (commitsWait, shared.paths.root)
        (self.context, self.bounds, self.mustEmptyLog, clockWatch, self.shapes) = (context, bounds, mustEmptyLog, shared.clockWatch, shapes)
        files = WriterFiles(
            context.file.connection, checkpointPages: DocumentWriter.checkpointPages, shared.failStop, failedCommits: context.gauges.failedCommits,
            walBytes: context.gauges.walBytes, operation: "could not commit documents", shared.troubles, shared.spare)
    }

    func commit(_ changes: [Change<DocumentContext>]) throws -> (failures: [(any Error)?], notice: CommittedDocuments) {
        context.committed = []
        let start = ContinuousClock.now
        let failures = try commit { try changes.map(attempt) }
        context.gauges.commitTime.observe(.now - start)
        if mustEmptyLog.take() { files.emptyLogs() }
        return (failures, CommittedDocuments(stamp: context.marks.stamp, commits: context.committed))
    }

    private func commit<T>(isSynced: Bool = true, _ body: () throws -> T) throws -> T {
        let (written, mustProve) = (files.totalChanges, isSynced && context.gauges.storageTroubles.commit != nil)
        do {
            let result = try files.commit(isSynced: isSynced) {
                let result = try body()
                try context.writeMarks(always: mustProve)
                return result
            }
            context.end(isCommitted: true)
            if mustProve { endTrouble(hasWritten: files.totalChanges > written) }
            return result
        } catch {
            context.end(isCommitted: false)
            if error is SQLiteError {
                let refusal = Refusal.storage(error)
                context.gauges.update { $0.commit = refusal }
                tryAgainSoon()
            }
            throw error
        }
    }

    /// Ends the trouble of a failed commit after one that succeeded. Only a synced commit that wrote something shows that writing works again,
    /// and after a full disk only free space does.
    private func endTrouble(hasWritten: Bool) {
        let wasFull = context.gauges.storageTroubles.commit?.code == .storageFull
        guard hasWritten, !wasFull || (try? Folder.freeBytes(at: folder)) ?? .max >= DocumentWriter.freeAfterFull else { return tryAgainSoon() }
        context.gauges.update { $0.commit = nil }
    }

    private func tryAgainSoon() { nextChores = min(nextChores, .now + DocumentWriter.triedAfterFailure) }

    /// Makes one change. The marks of a failed one are those before it.
    private func attempt(_ change: Change<DocumentContext>) throws -> (any Error)? {
        let point = context.point
        let failure = try files.attempt { try change.body(context) }
        if failure != nil { context.go(back: point) }
        return failure
    }

    var nextWork: NextWork {
        if context.hasIndexesToBuild, nextSlice <= .now { return .now }
        if context.mustExpire { return .now }
        let (now, next) = (ContinuousClock.now, min(nextChores, nextExpiry, context.hasIndexesToBuild ? nextSlice : nextChores))
        return next <= now ? .now : .after(next - now)
    }

    /// Makes a slice of an index, or removes some rows. The next ones follow at once, after the commits that wait.
    func work() -> CommittedDocuments? {
        let isDue = context.mustExpire || min(nextChores, nextExpiry) <= .now
        if context.hasIndexesToBuild, nextSlice <= .now, isBuildersTurn || !isDue {
            isBuildersTurn = false
            return build()
        }
        isBuildersTurn = true
        if context.mustExpire || nextExpiry <= .now { return removeExpired() }
        nextChores = .now + DocumentWriter.choresAfter
        if context.gauges.storageTroubles.checkpoint != nil { maintain(retries: true) }
        let (used, isBelieved) = (shapes.takeUsed(), clockWatch.isBelieved)
        _ = try? commit { try context.keepUsed(used, mayDrop: isBelieved) }
        guard let removed = try? commit({ try removeOld() }) else { return nil }
        if removed > 0 { nextChores = .now }
        return removed > 0 ? CommittedDocuments(stamp: context.marks.stamp, commits: []) : nil
    }

    /// Goes on with an index for a slice of time. A slice is not synced, as the next commit syncs it, and queries use no index before its end.
    private func build() -> CommittedDocuments? {
        let begin = ContinuousClock.now
        let isBuilding = try? commit(isSynced: false) {
            try context.buildSome {
                let time = ContinuousClock.now - begin
                return time >= DocumentWriter.slice.most || time >= DocumentWriter.slice.least && commitsWait()
            }
        }
        // A slice that failed is made again later, as the disk may be full.
        if isBuilding == nil { nextSlice = .now + DocumentWriter.sliceAfterFailure }
        context.hasIndexesToBuild = isBuilding ?? true
        context.gauges.indexesBuilding.set(Double((try? context.file.indexesToBuild()) ?? 0))
        if !context.hasIndexesToBuild { context.mustExpire = true }
        return isBuilding.map { _ in CommittedDocuments(stamp: context.marks.stamp, commits: []) }
    }

    /// Deletes some expired documents, unless the clock leapt ahead. The next ones follow at once, after the commits that wait.
    private func removeExpired() -> CommittedDocuments? {
        (nextExpiry, context.mustExpire, context.committed) = (.now + DocumentWriter.expiryAfter, false, [])
        guard clockWatch.isBelieved, let removed = try? commit({ try context.removeExpired() }), removed > 0 else { return nil }
        context.gauges.expired.add(removed)
        context.mustExpire = true
        return CommittedDocuments(stamp: context.marks.stamp, commits: context.committed)
    }

    private func removeOld() throws -> Int {
        let removed = try context.removeOld(bounds) + context.file.removeSomeEntries(atMost: bounds.removedAtOnce)
        if removed > 0 { return removed }
        let empty = try context.file.removeUnusedCollections(after: lastEmptyCollection, atMost: bounds.removedAtOnce)
        lastEmptyCollection = empty.last
        return empty.removed
    }

    func maintain() { maintain(retries: false) }

    /// - Parameter retries: Whether the log is copied even if it has not grown since the last attempt.
    private func maintain(retries: Bool) {
        files.checkpoint(evenIfNotDue: retries)
        let failure = files.checkpointFailure.map(Refusal.storage)
        context.gauges.update { $0.checkpoint = failure }
        if failure != nil { tryAgainSoon() }
    }

    func close() { files.close() }
}
