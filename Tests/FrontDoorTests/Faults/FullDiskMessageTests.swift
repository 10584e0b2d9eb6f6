// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import TestSupport
import Testing

@testable import ingestd

@Suite struct FullDiskMessageTests {
    @Test func `a command that ends on a full disk says so, and what to do`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/full.db"
        let connection = try Connection(path, .write)
        try connection.execute("PRAGMA max_page_count = 3; CREATE TABLE rows (text)")
        let error = try #require(throws: SQLiteError.self) { try connection.execute("INSERT INTO rows VALUES (zeroblob(1000000))") }
        #expect(Failure(error).line == "\(path) cannot be written: the disk is full. Free disk space, and run the command again.")
    }
}
