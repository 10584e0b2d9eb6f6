// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct StatementPlaceTests {
    /// A statement belongs to the module of the file it runs on. What spans stores calls their steps, so that a further store adds to no list
    /// of tables.
    @Test func `SQL is only in the modules that own database files, and in queries`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appendingPathComponent("Sources").path
        var found: Set<String> = []
        // Foundation's expressions search the megabytes of all files in a fraction of the time that Swift's take.
        let statement = try NSRegularExpression(pattern: #"(statement|uncached|execute)\(\s*"|^import SQLite$"#, options: .anchorsMatchLines)
        for name in try FileManager.default.subpathsOfDirectory(atPath: sources) where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: sources + "/" + name, encoding: .utf8)
            if statement.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil {
                found.insert(String(name.prefix { $0 != "/" }))
            }
        }
        // AppDirectory has the keys that stores put into their conditions. DocumentsClient has the files of an app on a phone.
        #expect(
            found == [
                "AppDirectory", "Database", "EventStore", "CrashStore", "MessageStore", "AuditStore", "AccountStore", "DocumentStore", "FileStore",
                "FunctionStore", "Analytics", "SQLite", "DocumentsClient",
            ])
    }
}
