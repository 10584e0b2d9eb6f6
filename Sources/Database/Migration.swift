// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// The numbered steps that bring a file from any earlier version to this one; a step once released never changes.
package struct Migration: Sendable {
    package let steps: [String]

    package init(steps: [String]) {
        self.steps = steps
    }

    /// Brings a file up to date, each step in a transaction of its own; a file from a newer program is refused.
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
