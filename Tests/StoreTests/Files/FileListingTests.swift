// SPDX-License-Identifier: Apache-2.0

import Files
import Platform
import SQLite
import TestSupport
import Testing

@testable import Database
@testable import FileStore

@Suite struct FileListingTests {
    private static let paths = [
        "a", "a b", "a/1", "a/2", "a/x/1", "a/x/2", "a/x/y/1", "a/z", "a0", "b/1", "c/d/e/f", "e\u{301}/1", "z", "\u{e9}/1", "\u{1f600}",
    ]

    /// Writes rows of files without bytes.
    private static func fill(_ world: FileWorld, _ paths: [String]) async throws {
        let app = world.app
        let files = try paths.map { try FileWorld.path($0) }
        try await world.store.change { context in
            for path in files {
                _ = try context.record(NewFile(app: app, path: path, contents: .bytes([]), size: 0, details: FileDetails(), sums: FileSums(of: [])))
            }
        }
    }

    /// The names of a listing in their order, computed from all paths.
    private static func expected(_ prefix: String, _ delimiter: String?) -> [[UInt8]] {
        let prefix = Array(prefix.utf8)
        let names = paths.map { Array($0.utf8) }.filter { $0.starts(with: prefix) }.map { path -> [UInt8] in
            guard let delimiter = delimiter?.utf8.first, let place = path[prefix.count...].firstIndex(of: delimiter) else { return path }
            return Array(path[...place])
        }
        return Set(names).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func names(_ page: FileListing) -> [[UInt8]] {
        (page.files.map { Array($0.path.text.utf8) } + page.folders.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test(arguments: ["", "a", "a/", "a/x", "a/x/", "b", "c/", "e\u{301}", "\u{e9}/", "nothing", "z"], [nil, "/"])
    func `a listing has the files and folders of its prefix, in pages of any size`(prefix: String, delimiter: String?) async throws {
        try await FileWorld.run { world in
            try await Self.fill(world, Self.paths)
            let expected = Self.expected(prefix, delimiter)
            for limit in [1, 2, 3, 1_000] {
                var (found, after): ([[UInt8]], String?) = ([], nil)
                repeat {
                    let query = FileListingQuery(prefix: prefix, delimiter: delimiter, after: after, limit: limit)
                    let page = try await world.store.list(query, app: world.app)
                    #expect(page.files.count + page.folders.count <= limit)
                    found += Self.names(page)
                    after = page.next
                } while after != nil
                #expect(found == expected, "limit \(limit)")
            }
        }
    }

    @Test func `a listing begins after any name`() async throws {
        try await FileWorld.run { world in
            try await Self.fill(world, Self.paths)
            #expect(try await world.paths(FileListingQuery(prefix: "a/", after: "a/x/1")) == ["a/x/2", "a/x/y/1", "a/z"])
            #expect(try await world.paths(FileListingQuery(prefix: "a/", after: "0")) == ["a/1", "a/2", "a/x/1", "a/x/2", "a/x/y/1", "a/z"])
            #expect(try await world.paths(FileListingQuery(prefix: "a/", after: "b")) == [])
            let other = try await world.store.list(FileListingQuery(), app: AppID(rawValue: 77))
            #expect(other.files.isEmpty && other.next == nil)
        }
    }

    @Test func `a page costs what it shows, not what lies below`() async throws {
        try await FileWorld.run { world in
            let deep = (0..<40).flatMap { folder in (0..<100).map { "all/\(folder)/\($0)" } }
            try await Self.fill(world, deep + (0..<10).map { "all/file\($0)" })
            let page = try await world.store.list(FileListingQuery(prefix: "all/", delimiter: "/"), app: world.app)
            #expect(page.folders.count == 40 && page.files.count == 10)
            // A seek and a row for each folder, a row for each file, a last seek.
            #expect(page.steps == 40 * 2 + 10 + 1)
            let first = try await world.store.list(FileListingQuery(limit: 5), app: world.app)
            #expect(first.steps == 1 + 5 + 1)
        }
    }

    @Test func `a page whose pattern costs much ends early, and the next goes on`() async throws {
        try await FileWorld.run { world in
            let name = String(repeating: "a", count: 1_000)
            try await Self.fill(world, (10..<22).map { "\(name)\($0)" })
            var query = FileListingQuery()
            query.glob = FileGlob(String(repeating: "*a", count: 100) + "21")
            var (pages, found): (Int, [String]) = (0, [])
            repeat {
                let page = try await world.store.list(query, app: world.app)
                (pages, found) = (pages + 1, found + page.files.map(\.path.text))
                query.after = page.next
            } while query.after != nil
            #expect(pages > 1 && found == ["\(name)21"])
        }
    }

    @Test func `statements use indexes`() async throws {
        try await FileWorld.run { world in
            try await Self.fill(world, Self.paths)
            _ = try await world.store.usage(of: world.app, owner: "ann")
            let plans = try StatementPlans { try FileDB.schema.apply(to: $0) }
            let reads = try await world.store.read { file in
                _ = try file.files(ofOwner: "ann", app: world.app, after: nil, limit: 5)
                _ = try file.files(below: "a/", app: world.app, after: nil, limit: 5)
                _ = try file.pendingPaths(ofOwner: "ann", below: ["a/"], app: world.app, after: nil, limit: 5)
                _ = try file.usages(world.app, after: "", limit: 5)
                _ = try file.uploads(world.app, limit: 5)
                _ = try file.uploads(of: "ann", app: world.app, limit: 5)
                _ = try file.expiredUploads(at: FileWorld.start, atMost: 5)
                _ = try file.changes(of: world.app, after: 0, limit: 5)
                _ = try file.changes(of: "ann", below: [], app: world.app, after: 0, limit: 5)
                _ = try file.knows(BlobName.random())
                _ = try file.hasLink(1, to: FilePath("a") ?? { fatalError() }(), app: world.app)
                return Set(file.connection.preparedTexts)
            }
            let writes = try await world.store.change { context in
                try context.delete(FileWorld.path("a/1"), app: world.app)
                _ = try context.removeOver()
                _ = try context.removeSome(ofApp: AppID(rawValue: 5), atMost: 5)
                return Set(context.file.connection.preparedTexts)
            }
            // What waits for its removal is read whole, in pieces.
            #expect(try plans.scans(reads.union(writes), small: ["leaving", "meta"], ofWork: []) == [])
        }
    }
}
