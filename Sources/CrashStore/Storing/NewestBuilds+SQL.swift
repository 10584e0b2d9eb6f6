// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import SQLite

/// The newest builds by grouping and release, collected in a change.
///
///     see("57", grouping 12, "2.1")    [12, "2.1"]: "57"
///     see("56", grouping 12, "2.1")    unchanged
///
/// Builds belong to groupings, as counters do, so that issues can be merged and split. Removing reports does not change them.
struct NewestBuilds {
    struct Place: Hashable {
        var grouping: Int64
        var release: Int64
    }

    private(set) var builds: [Place: String] = [:]

    /// Adds the build of a report. A build without a release is ignored.
    mutating func see(_ build: String?, of facts: CrashFacts) {
        guard let build, !build.isEmpty, facts.release != 0 else { return }
        let place = Place(grouping: facts.grouping, release: facts.release)
        guard let known = builds[place] else { return builds[place] = build }
        if ReleaseOrder.isOlderBuild(known, than: build) { builds[place] = build }
    }
}

extension CrashFileContext {
    func write(_ newest: NewestBuilds) throws {
        let known = try file.statement("SELECT build FROM newest_builds WHERE grouping = ? AND release = ?")
        let save = try file.statement("INSERT OR REPLACE INTO newest_builds (grouping, release, build) VALUES (?, ?, ?)")
        for (place, build) in newest.builds {
            let old = try known.first(.integer(place.grouping), .integer(place.release)) { $0.text(0) }
            guard old.map({ ReleaseOrder.isOlderBuild($0, than: build) }) ?? true else { continue }
            try save.run(.integer(place.grouping), .integer(place.release), .text(build))
        }
    }
}

extension CrashDB {
    /// Returns the newest build of a release in an issue's reports. Nil if none of them named its build.
    func newestBuild(of release: Int64, issue: Int64) throws -> String? {
        try statement("SELECT b.build FROM groupings g JOIN newest_builds b ON b.grouping = g.id WHERE g.issue = ? AND b.release = ?")
            .all(.integer(issue), .integer(release)) { $0.text(0) }
            .max { ReleaseOrder.isOlderBuild($0, than: $1) }
    }
}
