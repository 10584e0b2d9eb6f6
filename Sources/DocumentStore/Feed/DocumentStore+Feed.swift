// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SignalboxDocumentModel
import Synchronization

extension DocumentStore {
    /// A text that differs after a backup was restored, as the log may then lack what a client has read.
    package var history: String { String(listening.epoch.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, radix: 16) }

    private static let pageBytes = 8 << 20

    /// Returns changes of an app's documents behind a position; from the oldest that the log has without one.
    ///
    /// Throws `ReadFault.tooOld` if the log begins later, by age or after an erasure, and for a position that the log has not come to.
    package func changes(after place: ChangePlace?, in scope: ChangeScope, app: AppID, limit: Int) async throws -> ChangePage {
        try await read(app, at: nil) { [bounds] view in
            let start = try view.file.logStart(of: app)
            if let place, place.stamp < start || place.stamp > max(start, view.stamp.microseconds) { throw ReadFault.tooOld }
            let behind = place ?? ChangePlace(stamp: start, n: .max)
            var reading = FeedReading(view, scope, behind: behind, erased: start, searching: bounds.changesSearched)
            return try reading.page(limit: limit, bytes: Self.pageBytes)
        }
    }

    /// Returns changes of an app's documents behind a position, or behind the nearest one that the log has. Changes that an erasure removed, or
    /// whose results it did, are left out, and all others stay.
    ///
    ///     log from 12 to 40    behind 20: as asked   behind 5: behind 12   behind 50: behind 40, as a restored log may be shorter
    package func changes(near place: ChangePlace, app: AppID, limit: Int) async throws -> ChangePage {
        try await read(app, at: nil) { [bounds] view in
            let start = try view.file.mark(.logStart)
            let (first, last) = (ChangePlace(stamp: start, n: .max), ChangePlace(stamp: max(start, view.stamp.microseconds), n: .max))
            let nearest = place.stamp < first.stamp ? first : place.stamp > last.stamp ? last : place
            let erased = try view.file.logStart(of: app)
            var reading = FeedReading(view, .all, behind: nearest, erased: erased, searching: bounds.changesSearched)
            return try reading.page(limit: limit, bytes: Self.pageBytes)
        }
    }

    /// Returns the position behind all changes so far.
    package func lastChange() async throws -> ChangePlace {
        try await readers.read { session in
            try session.withDocuments { ChangePlace(stamp: try $0.mark(.stamp), n: .max) }
        }
    }
}

/// Streams that follow the log of changes, which are woken by commits of their app.
package final class ChangeFollowers: Sendable {
    private struct State {
        var followers: [Int: (app: AppID, waking: AsyncStream<Void>.Continuation)] = [:]
        var last = 0
        var isOver = false
    }

    /// The most streams that follow the log at a time.
    package static let streams = 1_000

    private let state = Mutex(State())

    init() {}

    /// Returns signals that an app may have new changes; the first comes at once. They end with the daemon.
    package func follow(_ app: AppID) throws(Refusal) -> Follower {
        let (wakeUps, waking) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        waking.yield()
        let id = state.withLock { state -> Int? in
            if state.isOver || state.followers.count >= Self.streams { return nil }
            state.last += 1
            state.followers[state.last] = (app, waking)
            return state.last
        }
        guard let id else {
            throw Refusal(
                .overloaded, "Too many streams follow the log of changes.", hint: "Close some, or read pages.", retryAfterSeconds: 10)
        }
        return Follower(wakeUps: wakeUps, waking: waking) { [weak self] in self?.state.withLock { $0.followers[id] = nil } }
    }

    func wake(_ committed: CommittedDocuments) {
        if committed.commits.isEmpty { return }
        let apps = Set(committed.commits.map(\.app))
        state.withLock { state in for follower in state.followers.values where apps.contains(follower.app) { follower.waking.yield() } }
    }

    package func end() {
        state.withLock { state in
            state.isOver = true
            for follower in state.followers.values { follower.waking.finish() }
        }
    }

    /// One stream. It is open until `close`.
    package final class Follower: Sendable {
        package let wakeUps: AsyncStream<Void>
        private let waking: AsyncStream<Void>.Continuation
        private let leave: @Sendable () -> Void

        init(wakeUps: AsyncStream<Void>, waking: AsyncStream<Void>.Continuation, leave: @escaping @Sendable () -> Void) {
            (self.wakeUps, self.waking, self.leave) = (wakeUps, waking, leave)
        }

        package func close() {
            leave()
            waking.finish()
        }

        /// Signals `wakeUps` periodically until the task is cancelled, for heartbeats.
        package func beat(every interval: Duration) async {
            while (try? await Task.sleep(for: interval)) != nil { waking.yield() }
        }
    }
}
