// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite
import Synchronization

/// The sizes of folders, added up when somebody asks and kept for a while.
///
/// One addition runs at a time. It reads in short steps, so other reads get their turn, and it ends after some seconds.
final class FolderMeter: Sendable {
    private struct Key: Hashable {
        var app: AppID
        var prefix: String
    }

    private struct Kept {
        var sizes: FolderSizes
        var until: ContinuousClock.Instant
    }

    private static let filesInStep = 20_000
    private static let longest = Duration.seconds(5)
    private static let keptFor = Duration.seconds(30)
    /// Sizes are kept for this many times the time that they took.
    private static let keptTimes = 20
    private static let mostKept = 200

    private struct State {
        var kept: [Key: Kept] = [:]
        /// Counts what was forgotten, so that an addition which began before is not kept.
        var forgotten = 0
    }

    private let state = Mutex(State())
    private let turns = OneAtATime(most: 16)

    func sizes(_ prefix: String, app: AppID, in store: FileStore) async throws -> FolderSizes {
        let key = Key(app: app, prefix: prefix)
        if let known = known(key) { return known }
        return try await turns.run { [self] in
            if let known = known(key) { return known }
            let (start, forgotten) = (ContinuousClock.now, state.withLock { $0.forgotten })
            let sizes = try await Self.add(prefix, app, in: store, until: start + Self.longest)
            let time = ContinuousClock.now - start
            keep(Kept(sizes: sizes, until: .now + max(Self.keptFor, time * Self.keptTimes)), key, unless: forgotten)
            return sizes
        }
    }

    /// Forgets the sizes of an app, whose paths may name a person.
    func forget(_ app: AppID) {
        state.withLock { state in
            state.kept = state.kept.filter { $0.key.app != app }
            state.forgotten += 1
        }
    }

    private func known(_ key: Key) -> FolderSizes? {
        state.withLock { state in
            guard let found = state.kept[key], found.until > .now else { return nil }
            return found.sizes
        }
    }

    /// Keeps sizes, unless some were forgotten since their addition began.
    private func keep(_ new: Kept, _ key: Key, unless forgotten: Int) {
        state.withLock { state in
            guard state.forgotten == forgotten else { return }
            state.kept = state.kept.filter { $0.value.until > .now }
            if state.kept.count < Self.mostKept { state.kept[key] = new }
        }
    }

    private static func add(_ prefix: String, _ app: AppID, in store: FileStore, until end: ContinuousClock.Instant) async throws -> FolderSizes {
        var addition = FolderAddition(prefix)
        var after: [UInt8]?
        repeat {
            let files = try await store.read { [after] in try $0.sizes(of: app, prefix, after: after, limit: filesInStep) }
            for file in files { addition.add(file.path, file.bytes) }
            if files.count < filesInStep { return addition.finish(isComplete: true, at: store.now) }
            after = files.last?.path
        } while ContinuousClock.now < end
        return addition.finish(isComplete: false, at: store.now)
    }
}

extension FileDB {
    /// Returns paths and sizes of the files whose paths begin with a prefix, in the order of the paths.
    fileprivate func sizes(of app: AppID, _ prefix: String, after: [UInt8]?, limit: Int) throws -> [(path: [UInt8], bytes: Int64)] {
        let end = FileListingScan.end(of: Array(prefix.utf8))
        let bound = end.isEmpty ? "" : " AND path < ?4"
        return try statement(
            "SELECT path, size FROM objects WHERE app = ?1 AND path \(after == nil ? ">=" : ">") ?2\(bound) ORDER BY path LIMIT ?3"
        ).all([.integer(app.rawValue), .utf8(after ?? Array(prefix.utf8)), .integer(limit)] + (end.isEmpty ? [] : [.utf8(end)])) {
            ($0.bytes(0), $0.integer(1))
        }
    }
}

extension FileStore {
    /// Returns the largest folders below a prefix, as they were within the last minutes.
    package func folderSizes(below prefix: String, app: AppID) async throws -> FolderSizes {
        try await folderMeter.sizes(prefix, app: app, in: self)
    }
}
