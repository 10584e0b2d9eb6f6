// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// A commit to `files.db`, for what follows from it.
struct CommittedFiles: Sendable {
    /// Whether files wait for their removal from the disk.
    var leaves: Bool
    /// Whether files wait for a function.
    var holds: Bool
    /// The uploads that ended without a file.
    var endedUploads: [UploadID]
}

/// The only writer of `files.db`. Between commits it removes idle uploads, ended links and old changes.
final class FileWriter: ChangeWriter {
    private static let choresAfter = Duration.seconds(60)

    private let context: FileContext
    let files: WriterFiles
    private let mustEmptyLog: EmptyLogRequest
    private let clockWatch: ClockWatch
    private let gauges: FileGauges
    private var nextChores = ContinuousClock.now

    init(_ context: FileContext, _ shared: StoreParts, _ gauges: FileGauges, _ mustEmptyLog: EmptyLogRequest) {
        (self.context, self.mustEmptyLog, clockWatch, self.gauges) = (context, mustEmptyLog, shared.clockWatch, gauges)
        files = WriterFiles(
            context.file.connection, checkpointPages: 4_000, shared.failStop, failedCommits: gauges.failedCommits, walBytes: gauges.walBytes,
            operation: "could not commit files", shared.troubles, shared.spare)
    }

    func commit(_ changes: [Change<FileContext>]) throws -> (failures: [(any Error)?], notice: CommittedFiles) {
        let failures: [(any Error)?]
        do {
            failures = try commit { try changes.map(attempt) }
        } catch {
            // A log whose pages were moved is written from its start again, which needs no space.
            if Refusal.isFullDisk(error) { files.checkpoint(evenIfNotDue: true) }
            throw error
        }
        if mustEmptyLog.take() { files.emptyLogs() }
        return (failures, notice)
    }

    private var notice: CommittedFiles { CommittedFiles(leaves: context.leaves, holds: context.holds, endedUploads: context.endedUploads) }

    private func commit<T>(_ body: () throws -> T) throws -> T {
        var isCommitted = false
        context.begin()
        defer {
            context.end(isCommitted: isCommitted)
            measure()
        }
        let result = try files.commit {
            let result = try body()
            try context.writeStamp()
            return result
        }
        isCommitted = true
        return result
    }

    /// Makes one change. The stamp of a failed one is that before it.
    private func attempt(_ change: Change<FileContext>) throws -> (any Error)? {
        let stamp = context.stamp
        let failure = try files.attempt { try change.body(context) }
        if failure != nil { context.go(back: stamp) }
        return failure
    }

    /// Sets the gauges from the sums of all apps.
    private func measure() {
        guard let all = try? context.file.usage(.all) else { return }
        gauges.bytes.set(Double(all.bytes))
        gauges.files.set(Double(all.files))
        gauges.uploads.set(Double(all.uploads))
        gauges.leaving.set(Double((try? context.file.leavingCount()) ?? 0))
    }

    var nextWork: NextWork {
        let now = ContinuousClock.now
        return nextChores <= now ? .now : .after(nextChores - now)
    }

    /// Removes some rows whose time is over. The next ones follow at once, after the commits that wait.
    func work() -> CommittedFiles? {
        nextChores = .now + FileWriter.choresAfter
        guard clockWatch.isBelieved else { return nil }
        guard let removed = try? commit({ try context.removeOver() }) else { return nil }
        if removed > 0 { nextChores = .now }
        return removed > 0 ? notice : nil
    }

    func maintain() { files.checkpoint() }

    func close() { files.close() }
}
