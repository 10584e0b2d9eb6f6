// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// The progress of binding the groups of a new grouping rule to the issues that older rules made. It is stored in `meta`.
///
///     first start of a release with rule 2     notBegun
///     no report has a group of rule 1          unneeded
///     reports 1…900 have                       binding(next: 0, until: 900) → … → binding(next: 850, until: 900) → settling → done
enum BindingProgress: Equatable {
    case notBegun
    /// Reports after row `next`, up to row `until`, are not bound yet.
    case binding(next: Int64, until: Int64)
    /// Stored reports are bound. Groups that older rules assigned meanwhile are judged again.
    case settling
    case done
    /// There is no group of an older rule.
    case unneeded

    /// Reads `2 binding 850 900`. A text of an older rule counts as `notBegun`.
    init(_ text: String?, version: Int) {
        let words = text?.split(separator: " ") ?? []
        guard words.count >= 2, words[0] == "\(version)" else {
            self = .notBegun
            return
        }
        switch words[1] {
        case "binding" where words.count == 4: self = .binding(next: Int64(words[2]) ?? 0, until: Int64(words[3]) ?? 0)
        case "settling": self = .settling
        case "done": self = .done
        case "unneeded": self = .unneeded
        default: self = .notBegun
        }
    }

    func text(version: Int) -> String {
        switch self {
        case .notBegun: "\(version) notBegun"
        case .binding(let next, let until): "\(version) binding \(next) \(until)"
        case .settling: "\(version) settling"
        case .done: "\(version) done"
        case .unneeded: "\(version) unneeded"
        }
    }
}

extension CrashDB {
    private static let key = "grouping"

    func bindingProgress(version: Int) throws -> BindingProgress {
        BindingProgress(try statement("SELECT value FROM meta WHERE key = ?").first(.text(CrashDB.key)) { $0.text(0) }, version: version)
    }

    func save(_ progress: BindingProgress, version: Int) throws {
        try statement("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(.text(CrashDB.key), .text(progress.text(version: version)))
    }
}
