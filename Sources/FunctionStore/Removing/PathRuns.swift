// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Platform
import SQLite

/// The document or file that a run is about.
///
///     document.updated users/ann/orders/o1    .document("users/ann/orders/o1")
///     file.finalized users/ann/photo.jpg      .file("users/ann/photo.jpg")
package enum RunPlace: Sendable {
    case document(String)
    case file(String)

    /// Returns nil for a run about something else.
    init?(type: String, subject: String?) {
        guard let subject else { return nil }
        if type.utf8.starts(with: "document.".utf8) {
            self = .document(subject)
        } else if type.utf8.starts(with: "file.".utf8) {
            self = .file(subject)
        } else {
            return nil
        }
    }
}

/// A walk over an app's runs about documents and files that are a user's by their paths, while the runs belong to others or to nobody.
///
/// No index has the paths, so the walk reads the app's runs by their numbers, a page at a time. They are bounded by their age.
package struct PathRunWalk: Sendable {
    package static let page = 1_000

    let app: AppID
    /// The users whose own runs are left out.
    private let users: [String]
    private let isTheirs: @Sendable (RunPlace) -> Bool
    /// The number of the last run that was read; nil at the end.
    fileprivate var last: Int64?

    /// - Parameters:
    ///   - users: Without users the walk reads nothing.
    ///   - isTheirs: Whether what is at a place is the users'.
    package init(of users: [String], app: AppID, _ isTheirs: @escaping @Sendable (RunPlace) -> Bool) {
        (self.users, self.app, self.isTheirs) = (users, app, isTheirs)
        last = users.isEmpty ? nil : 0
    }

    fileprivate func contains(_ run: PathRun) -> Bool {
        guard let place = run.place, isTheirs(place) else { return false }
        return !users.contains { $0.hasSameBytes(as: run.user ?? "") }
    }
}

/// A run as a walk reads it.
package struct PathRun: Sendable {
    package let number: Int64
    package let id: String
    fileprivate let user: String?
    fileprivate let place: RunPlace?

    fileprivate init(_ row: Row) {
        (number, id, user) = (row.integer(0), row.text(1), row.optionalText(2))
        place = RunPlace(type: row.text(3), subject: row.optionalText(4))
    }
}

extension FunctionStore {
    /// Returns the next runs of a walk, in the order of their creation; none at its end.
    package func next(_ walk: inout PathRunWalk, limit: Int = PathRunWalk.page) async throws -> [PathRun] {
        while let last = walk.last {
            let page = try await read { [app = walk.app] in try $0.pathRuns(of: app, after: last, limit: PathRunWalk.page) }
            let found = page.filter(walk.contains)
            walk.last = found.count > limit ? found[limit - 1].number : page.last?.number
            if !found.isEmpty { return Array(found.prefix(limit)) }
        }
        return []
    }

    /// Counts the runs of a walk.
    package func survey(_ walk: PathRunWalk) async throws -> RemovalCounts {
        var (walk, counts) = (walk, RemovalCounts())
        while case let found = try await next(&walk), !found.isEmpty { counts[.runs] += found.count }
        return counts
    }

    /// Removes the runs of a walk with their data and the lines of their logs. After a kill in between the runs that remain are found again.
    package func remove(_ walk: PathRunWalk) async throws -> RemovalCounts {
        var (walk, counts) = (walk, RemovalCounts())
        while case let found = try await next(&walk), !found.isEmpty {
            counts[.runs] += try await remove(found.map(\.number), app: walk.app)
        }
        return counts
    }

    private func remove(_ numbers: [Int64], app: AppID) async throws -> Int {
        var (rest, total) = (numbers[...], 0)
        try await SpareSpace.inPieces(atMost: bounds.removedAtOnce) { limit in
            let some = Array(rest.prefix(limit))
            if some.isEmpty { return 0 }
            total += try await change(app) { try $0.removeRuns(some) }
            rest = rest.dropFirst(limit)
            return some.count
        }
        return total
    }
}

extension FunctionContext {
    /// Removes those of some runs that are still there. Returns their number.
    fileprivate func removeRuns(_ numbers: [Int64]) throws -> Int {
        let runs = try numbers.flatMap { try file.runs(where: "id = ?", .integer($0), limit: 1) }
        for run in runs { try remove(run) }
        return runs.count
    }
}

extension FunctionDB {
    fileprivate func pathRuns(of app: AppID, after number: Int64, limit: Int) throws -> [PathRun] {
        try statement("SELECT id, public, user, type, subject FROM runs WHERE app = ? AND id > ? ORDER BY id LIMIT ?").all(
            .integer(app.rawValue), .integer(number), .integer(limit), row: PathRun.init)
    }
}
