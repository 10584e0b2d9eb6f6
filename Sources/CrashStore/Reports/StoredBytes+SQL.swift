// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

extension CrashDB {
    /// Returns the bytes of an app's reports, attachments, minidumps and symbol files.
    package func storedBytes(of app: AppID) throws -> Int64 {
        try statement(
            """
            SELECT ifnull((SELECT bytes + attachment_bytes FROM stored WHERE app = ?1), 0)
                + ifnull((SELECT bytes FROM minidump_bytes WHERE app = ?1), 0)
                + (SELECT ifnull(sum(bytes + code_bytes), 0) FROM symbol_files WHERE app = ?1)
            """
        ).first(.integer(app.rawValue)) { $0.integer(0) } ?? 0
    }
}
