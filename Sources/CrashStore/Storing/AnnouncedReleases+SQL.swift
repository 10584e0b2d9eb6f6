// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
package import Platform
import SQLite

/// A release that a build announced, or that reports name.
package struct KnownRelease: Sendable, Equatable {
    package var version: String
    /// The time of its announcement, or of its first report.
    package var created: Timestamp
    package var released: Timestamp?

    package init(version: String, created: Timestamp, released: Timestamp? = nil) {
        (self.version, self.created, self.released) = (version, created, released)
    }
}

extension CrashStore {
    private static let announcedLimit = 10_000

    /// Announces a release, or changes an announced one. Given times replace the stored ones.
    package func announce(_ version: String, created: Timestamp? = nil, released: Timestamp? = nil, app: AppID) async throws -> KnownRelease {
        try await change { context in
            let old = try context.file.announced(version, app: app)
            if old == nil { try context.file.checkAnnounced(app, most: CrashStore.announcedLimit) }
            let release = KnownRelease(
                version: version, created: created ?? old?.created ?? context.now, released: released ?? old?.released)
            try context.file.statement("INSERT OR REPLACE INTO announced_releases (app, version, created, released) VALUES (?, ?, ?, ?)").run(
                .integer(app.rawValue), .text(version), .integer(release.created.milliseconds), .integer(release.released?.milliseconds))
            return release
        }
    }

    /// Forgets an announced release. Its reports stay.
    package func forgetRelease(_ version: String, app: AppID) async throws {
        try await change { context in
            try context.file.statement("DELETE FROM announced_releases WHERE app = ? AND version = ?").run(.integer(app.rawValue), .text(version))
        }
    }

    /// Returns a release; nil if neither a build nor a report names it.
    package func release(_ version: String, app: AppID) async throws -> KnownRelease? {
        try await read { file in try file.announced(version, app: app) ?? file.reported(version, app: app) }
    }

    /// Returns the newest announced releases and those of reports.
    package func releases(app: AppID, limit: Int) async throws -> [KnownRelease] {
        try await read { file in
            let announced = try file.statement(
                "SELECT version, created, released FROM announced_releases WHERE app = ? ORDER BY created DESC LIMIT ?"
            )
            .all(.integer(app.rawValue), .integer(limit), row: KnownRelease.init)
            let reported = try file.statement("SELECT text, first FROM words WHERE app = ? AND kind = ? ORDER BY first DESC LIMIT ?")
                .all(.integer(app.rawValue), .integer(CrashWord.Kind.release.rawValue), .integer(limit)) {
                    KnownRelease(version: $0.text(0), created: Timestamp(milliseconds: $0.integer(1)))
                }
            // A report names `2.1.0` for the release `shop@2.1.0+57`.
            let known = Set(announced.flatMap { [Array($0.version.utf8), Array((ReleaseKey.of(release: $0.version, appVersion: nil) ?? "").utf8)] })
            let all = announced + reported.filter { !known.contains(Array($0.version.utf8)) }
            return Array(all.sorted { $0.created > $1.created }.prefix(limit))
        }
    }
}

extension KnownRelease {
    fileprivate init(_ row: Row) {
        self.init(
            version: row.text(0), created: Timestamp(milliseconds: row.integer(1)),
            released: row.isNull(2) ? nil : Timestamp(milliseconds: row.integer(2)))
    }
}

extension CrashDB {
    fileprivate func announced(_ version: String, app: AppID) throws -> KnownRelease? {
        try statement("SELECT version, created, released FROM announced_releases WHERE app = ? AND version = ?")
            .first(.integer(app.rawValue), .text(version), row: KnownRelease.init)
    }

    fileprivate func reported(_ version: String, app: AppID) throws -> KnownRelease? {
        let release = try numbers(ofRelease: version, app: app)
        let first = try [release.exact, release.key].compactMap { try $0 < 0 ? nil : word($0)?.first }.min()
        return first.map { KnownRelease(version: version, created: Timestamp(milliseconds: $0)) }
    }

    fileprivate func checkAnnounced(_ app: AppID, most: Int) throws {
        let count = try statement("SELECT count(*) FROM announced_releases WHERE app = ?").first(.integer(app.rawValue)) { $0.int(0) } ?? 0
        guard count < most else { throw Refusal(.tooLarge, "The app has reached its limit of \(most) announced releases.", hint: "Delete old ones.") }
    }
}
