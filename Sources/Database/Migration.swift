// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// The schema of a file as numbered steps from the first version to the current one.
///
/// `PRAGMA user_version` is the number of applied steps. A released step never changes, because files exist that it was applied to.
package struct Migration: Sendable {
    package let steps: [String]

    package init(steps: [String]) {
        self.steps = steps
    }

    /// Applies the missing steps, each in its own transaction. Throws `StoreError.newerSchema` for a file of a newer release.
    package func apply(to connection: Connection) throws {
        let version = try connection.statement("PRAGMA user_version").first { $0.int(0) } ?? 0
        guard version <= steps.count else {
            throw StoreError.newerSchema(path: connection.path, found: version, known: steps.count)
        }
        for number in version..<steps.count {
            try connection.begin()
            do {
                try connection.execute(steps[number])
                try connection.execute("PRAGMA user_version = \(number + 1)")
                try connection.commit()
            } catch {
                connection.rollback()
                throw error
            }
        }
    }
}
