// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Where everything lies inside a data folder.
package struct StorePaths: Sendable {
    package let root: String

    package init(root: String) {
        self.root = root
    }

    package var lock: String { root + "/lock" }
    package var main: String { root + "/main.db" }
    package var messages: String { root + "/messages.db" }
    package var crashes: String { root + "/crashes.db" }
    package var events: String { root + "/events" }
    package var symbols: String { root + "/symbols" }
    /// What is being uploaded; nothing in it outlives the process.
    package var uploads: String { root + "/uploads" }
    package var controlSocket: String { root + "/control.sock" }
    package var developmentKeys: String { root + "/development-keys.json" }

    package func file(of day: Day) -> String { "\(events)/\(day.text).db" }

    /// Refuses a folder whose main file is gone: a new one would give its numbers of apps anew, and with them what others have sent.
    ///
    /// The main file is made, durably, before any other, so that no first start that is cut short comes to this.
    package func requireMainBesideData() throws {
        guard Folder.size(of: main) == 0 else { return }
        let hasDays = try Folder.exists(events) && !days().isEmpty
        guard !hasDays, !Folder.exists(messages), !Folder.exists(crashes) else { throw StoreError.mainFileMissing(path: main) }
    }

    func run(of day: Day, _ kind: SeenKind, rows: ClosedRange<Int64>) -> String {
        "\(events)/\(day.text).\(kind.fileWord).\(rows.lowerBound)-\(rows.upperBound).run"
    }

    /// The days that have a file, oldest first.
    func days() throws(FileError) -> [Day] {
        try Folder.names(in: events).compactMap { $0.hasSuffix(".db") ? Day(text: $0.dropLast(3)) : nil }
    }

    /// The runs of a day, as they are named.
    func runs(of day: Day, _ kind: SeenKind) throws(FileError) -> [String] {
        let prefix = "\(day.text).\(kind.fileWord)."
        return try Folder.names(in: events).filter { $0.hasPrefix(prefix) && $0.hasSuffix(".run") }.map { "\(events)/\($0)" }
    }

    /// Runs that were being written when the daemon ended, and those that became one while retention removed their day.
    func strayRuns() throws(FileError) -> [String] {
        let days = Set(try days().map(\.text))
        return try Folder.names(in: events).filter { name in
            name.hasSuffix(".run.draft") || name.hasSuffix(".run") && !days.contains(String(name.prefix { $0 != "." }))
        }.map { "\(events)/\($0)" }
    }
}

/// The two things that count once.
enum SeenKind: Int64, CaseIterable, Sendable {
    case ids = 0
    case transactions = 1

    var fileWord: String {
        switch self {
        case .ids: "ids"
        case .transactions: "transactions"
        }
    }
}
