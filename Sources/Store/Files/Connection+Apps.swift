// SPDX-License-Identifier: Apache-2.0

import SQLite

extension Connection {
    /// The numbers of the apps that have not been deleted, in the main file.
    func appsThereAre() throws -> Set<Int64> {
        try Set(statement("SELECT id FROM apps").all { $0.integer(0) })
    }

    /// The apps that tables have rows of. It goes from app to app, each found by the one before, so that no table is read as a whole.
    func apps(in tables: [String]) throws -> Set<Int64> {
        var apps: Set<Int64> = []
        for table in tables {
            let next = try statement("SELECT app FROM \(table) WHERE app > ? ORDER BY app LIMIT 1")
            var last: Int64? = 0
            while let app = last {
                last = try next.first(.integer(app)) { $0.integer(0) }
                if let last { apps.insert(last) }
            }
        }
        return apps
    }
}
