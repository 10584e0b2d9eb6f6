// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import Database
@testable import DocumentStore

/// The background work of the writer, step by step.
@Suite struct DocumentTurnTests {
    private typealias World = DocumentWorld
    private static let app = AppID(rawValue: 1)

    private struct Direct {
        let context: DocumentContext
        let writer: DocumentWriter

        init(in folder: TemporaryFolder) throws {
            let parts = StoreParts.ofTest(folder.path, ManualClock(DocumentWorld.start).clock)
            let gauges = DocumentGauges(Metrics())
            let file = try DocumentDB.open(writing: folder.path + "/documents.db")
            context = try DocumentContext(file, BodyReader(), gauges, RuleCache(gauges) { _ in false }, parts.clock)
            writer = DocumentWriter(context, DocumentBounds(), parts, EmptyLogRequest(), QueryShapes()) { true }
        }

        func change(_ body: @escaping @Sendable (DocumentContext) throws -> Void) throws {
            let commit = try writer.commit([Change<DocumentContext>(body: body) { _ in }])
            #expect(commit.failures.count == 1 && commit.failures[0] == nil)
        }
    }

    /// A step is not interrupted, and commits wait for it.
    @Test(arguments: [(10, 1, 32), (100_000, 1, 1), (30_000, 1, 3), (10, 500, 1)])
    func `a step of an index reads few documents if they are large`(bytes: Int, elements: Int, documents: Int64) throws {
        let direct = try Direct(in: TemporaryFolder())
        let l = try #require(FieldPath("l"))
        let list = DocumentValue.array((0..<elements).map { .integer(Int64($0)) })
        let text = DocumentValue.text(ExactName(String(repeating: "x", count: bytes)))
        for number in 0..<40 {
            let write = try World.set("a/d\(number)", [("l", list), ("t", text)])
            try direct.change { _ = try $0.commit(DocumentCommit([write]), app: Self.app) }
        }
        try direct.change { context in
            try context.declare(IndexDeclaration([IndexShape(.collection, PathSegment("a")!, [IndexShape.Field(l, .contains)])]), app: Self.app)
        }
        try direct.change { context in _ = try context.buildSome { true } }
        #expect(direct.context.indexRun?.readThrough == documents)
        while direct.context.hasIndexesToBuild { _ = direct.writer.work() }
        #expect(try direct.context.file.statement("SELECT count(*) FROM entries").first { $0.integer(0) } == Int64(40 * elements))
    }

    @Test func `documents expire while an index of others is built`() throws {
        let folder = TemporaryFolder()
        let direct = try Direct(in: folder)
        let (context, file) = (direct.context, direct.context.file)
        let (e, n) = (try #require(FieldPath("e")), try #require(FieldPath("n")))
        let expiry = try #require(ExpiryField(PathSegment("s")!, e))
        try direct.change { try $0.setExpiry([expiry], app: Self.app) }
        while context.hasIndexesToBuild || context.mustExpire { _ = direct.writer.work() }
        for first in stride(from: 0, to: 3_000, by: 1_000) {
            let writes = try (first..<first + 1_000).map { try World.set("a/d\($0)", [("n", .integer(Int64($0)))]) }
            try direct.change { _ = try $0.commit(DocumentCommit(writes), app: Self.app) }
        }
        let old = try World.set("s/old", [("e", .time(try #require(DocumentTime(microseconds: 1_000_000))))])
        try direct.change { context in
            _ = try context.commit(DocumentCommit([old]), app: Self.app)
            try context.keep(
                declared: [IndexShape(.collection, PathSegment("a")!, [IndexShape.Field(n, .ascending)])], expiry: [expiry], app: Self.app)
        }
        context.mustExpire = true
        for _ in 0..<3 { _ = direct.writer.work() }
        let session = try World.path("s/old")
        #expect(try context.encoded(session, app: Self.app) == nil)
        #expect(try file.indexes(of: Self.app).contains { !$0.isReady }, "the index is not built yet")
        while context.hasIndexesToBuild { _ = direct.writer.work() }
        #expect(try file.indexes(of: Self.app).allSatisfy(\.isReady))
        #expect(try file.statement("SELECT count(*) FROM entries").first { $0.integer(0) } == 3_000)
    }
}
