// SPDX-License-Identifier: Apache-2.0

import Files
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import Database
@testable import EventStore
@testable import FileStore

/// A running file store with a manual clock and an app.
struct FileWorld {
    static let start = Timestamp(milliseconds: 1_795_260_500_000)

    let stores: Stores
    let clock: ManualClock
    let app: AppID

    var store: FileStore { stores.files }

    static func run<T: Sendable>(
        in folder: TemporaryFolder = TemporaryFolder(), _ clock: ManualClock = ManualClock(start), _ bounds: FileBounds = .ofTest(),
        _ body: @Sendable (FileWorld) async throws -> T
    ) async throws -> T {
        var options = StoreOptions()
        options.files = bounds
        return try await withStore(in: folder, options: options, clock: clock.clock) { stores in
            let known = stores.events.directory.now.apps.keys.min()
            var app = known ?? AppID(rawValue: 0)
            if known == nil { app = try await stores.events.createAppWithKeys(named: "shop").0.id }
            return try await body(FileWorld(stores: stores, clock: clock, app: app))
        }
    }

    // MARK: Uploads

    func request(_ path: String, length: Int? = nil, owner: String? = nil, if condition: FileCondition = .any) throws -> UploadRequest {
        var request = UploadRequest(try Self.path(path), app: app, length: length.map(Int64.init))
        (request.owner, request.condition) = (owner, condition)
        return request
    }

    @discardableResult
    func put(_ path: String, _ bytes: [UInt8], owner: String? = nil, if condition: FileCondition = .any) async throws -> StoredFile {
        let upload = try await store.begin(request(path, length: bytes.count, owner: owner, if: condition))
        try upload.write(bytes.span)
        return try await upload.finish()
    }

    /// Lets all new files of clients wait, and stores one of a user.
    @discardableResult
    func hold(_ path: String, _ bytes: [UInt8], owner: String) async throws -> StoredFile {
        try await store.setPendingRules([try #require(PendingRule(prefix: "", function: "scan"))], app: app)
        let upload = try await store.begin(request(path, length: bytes.count, owner: owner))
        try upload.write(bytes.span)
        return try await upload.finish(UploadEnd(by: { _, _, _ in }))
    }

    /// Begins an upload of several requests and returns its ID.
    func create(_ path: String, length: Int?, owner: String? = nil) async throws -> UploadID {
        try await store.create(request(path, length: length, owner: owner), way: .tus).id
    }

    func take(_ id: UploadID) async throws -> UploadTurn { try #require(try await store.take(id, app: app)) }

    // MARK: Reads

    /// The bytes of a file; nil if there is none.
    func bytes(_ path: String) async throws -> [UInt8]? { try await store.open(Self.path(path), app: app).map(Self.bytes) }

    static func bytes(_ opened: OpenedFile) throws -> [UInt8] {
        switch opened.contents {
        case .bytes(let bytes): bytes
        case .file(let file): try file.read(at: 0, count: try file.size)
        }
    }

    func file(_ path: String) async throws -> StoredFile? { try await store.file(Self.path(path), app: app) }

    func paths(_ query: FileListingQuery = FileListingQuery()) async throws -> [String] {
        try await store.list(query, app: app).files.map(\.path.text)
    }

    static func path(_ text: String) throws -> FilePath { try #require(FilePath(text)) }

    /// Bytes that differ by seed.
    static func some(_ count: Int, _ seed: UInt8 = 1) -> [UInt8] { someBytes(count, seed: Int(seed)) }

    /// The fault of a request; nil if there is none.
    static func fault(_ body: () async throws -> Void) async -> FileFault? {
        do {
            try await body()
            return nil
        } catch { return error as? FileFault }
    }

    // MARK: The disk

    /// The files on the disk, as paths below the data folder.
    var onDisk: Set<String> {
        get throws {
            let root = store.paths.root
            var found = Set(try Folder.names(in: root + "/incoming").map { "incoming/\($0)" })
            for app in try Folder.names(in: root + "/files") {
                for inner in try Folder.names(in: "\(root)/files/\(app)") {
                    found.formUnion(try Folder.names(in: "\(root)/files/\(app)/\(inner)").map { "files/\(app)/\(inner)/\($0)" })
                }
            }
            return found
        }
    }

    /// Waits until the files on the disk are those of the rows and of open uploads.
    func expectNoOrphans() async throws {
        let expected = try await store.read { [app] file in
            var paths: Set<String> = []
            try file.eachBlob { app, name, _, _ in paths.insert(StorePaths.blob(name, app: app.rawValue)) }
            let uploads = try file.uploads(app, limit: .max).filter { $0.committed > 0 }
            paths.formUnion(uploads.map { "incoming/\($0.blob.text)" })
            return paths
        }
        let isClean = try await eventually(within: .seconds(20)) { try onDisk == expected }
        let found = try onDisk
        #expect(isClean, "\(found) instead of \(expected)")
    }

    /// Expects that usage is the sum of the rows, and the count of files to remove theirs.
    func expectRightUsage() async throws {
        let counts = "SELECT (SELECT count(*) FROM leaving) = (SELECT value FROM meta WHERE key = 'leaving')"
        #expect(try await store.read { try $0.uncached(counts).first { $0.int(0) } } == 1)
        let (stored, counted) = try await store.read { file in
            let sums = """
                SELECT app, owner, sum(bytes), sum(files), sum(uploads), sum(reserved) FROM (
                    SELECT app, owner, size AS bytes, 1 AS files, 0 AS uploads, 0 AS reserved FROM objects WHERE owner IS NOT NULL
                    UNION ALL SELECT app, '', size, 1, 0, 0 FROM objects
                    UNION ALL SELECT 0, '', size, 1, 0, 0 FROM objects
                    UNION ALL SELECT app, owner, 0, 0, 1, coalesce(length, 0) FROM uploads WHERE owner IS NOT NULL
                    UNION ALL SELECT app, '', 0, 0, 1, coalesce(length, 0) FROM uploads
                    UNION ALL SELECT 0, '', 0, 0, 1, coalesce(length, 0) FROM uploads) GROUP BY app, owner ORDER BY app, owner
                """
            let columns = { (sql: String) in
                try file.uncached(sql).all { row in (0..<6).map { row.text($0) } }
            }
            return (try columns("SELECT * FROM usage WHERE files > 0 OR uploads > 0 ORDER BY app, owner"), try columns(sums))
        }
        #expect(stored == counted)
    }
}

extension FileBounds {
    /// Bounds for tests, which must not depend on the free space of their machine.
    static func ofTest(_ edit: (inout FileBounds) -> Void = { _ in }) -> FileBounds {
        var bounds = FileBounds()
        bounds.reserveBytes = 0
        edit(&bounds)
        return bounds
    }
}
