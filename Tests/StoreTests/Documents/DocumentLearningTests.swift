// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import DocumentStore

@Suite struct DocumentLearningTests {
    private typealias World = DocumentWorld

    private static func query(_ field: String) throws -> DocumentQuery {
        var query = World.query("a")
        query.filter = .compare(try #require(FieldPath(field)), .equal, .integer(1))
        return query
    }

    private static func answered(_ examined: Int, _ results: Int = 1) -> QueryShapes.Answered {
        QueryShapes.Answered(examined: examined, results: results, time: .zero, indexes: [])
    }

    @Test func `only the third wasteful query of a shape teaches, with any values`() throws {
        let (shapes, app) = (QueryShapes(), AppID(rawValue: 1))
        for (examined, results) in [(2_000, 1), (2_100, 105), (90_000, 4_500), (1_999, 0)] {
            for _ in 0..<5 { #expect(try shapes.note(Self.query("n"), Self.answered(examined, results), app: app, teaches: true).isEmpty) }
        }
        for _ in 0..<5 { #expect(try shapes.note(Self.query("n"), Self.answered(5_000), app: app, teaches: false).isEmpty) }
        var learned: [[IndexShape]] = []
        for value in 1...6 as ClosedRange<Int64> {
            var query = try Self.query("n")
            query.filter = .compare(try #require(FieldPath("n")), .equal, .integer(value))
            learned.append(shapes.note(query, Self.answered(5_000), app: app, teaches: true))
        }
        let wanted = IndexShape(.collection, try #require(PathSegment("a")), [.init(try #require(FieldPath("n")), .ascending)])
        #expect(learned == [[], [], [wanted], [], [], [wanted]])
        #expect(try shapes.note(Self.query("n"), Self.answered(5_000), app: AppID(rawValue: 2), teaches: true).isEmpty)
    }

    @Test func `a thousand wasteful shapes that are not repeated enough teach none`() throws {
        let (shapes, app) = (QueryShapes(), AppID(rawValue: 1))
        for number in 0..<1_000 {
            for _ in 0..<2 {
                let lacking = shapes.note(try Self.query("f\(number)"), Self.answered(50_000, 0), app: app, teaches: true)
                #expect(lacking.isEmpty)
            }
        }
        #expect(shapes.costs(of: app).count == 200)
    }

    @Test func `shapes are bounded, and the costliest stay`() throws {
        let (shapes, app) = (QueryShapes(), AppID(rawValue: 1))
        for number in 0..<500 { _ = shapes.note(try Self.query("f\(number)"), Self.answered(1_000 + number), app: app, teaches: true) }
        let costs = shapes.costs(of: app)
        #expect(costs.count == 200 && costs[0].shape == "a where f499 ==" && costs[0].examined == 1_499)
    }

    @Test func `an app learns twenty indexes, and one that no query reads is dropped`() async throws {
        let clock = ManualClock(World.start)
        try await World.run(in: TemporaryFolder(), clock) { world async throws in
            let (app, group) = (world.app, try #require(PathSegment("a")))
            let shapes = try (0..<25).map { IndexShape(.collection, group, [.init(try #require(FieldPath("f\($0)")), .ascending)]) }
            try await world.store.declare(IndexDeclaration([shapes[24]]), app: app)
            try await world.store.change { try $0.learn(shapes, why: "test", app: app) }
            let learned = try await world.store.indexes(of: app).filter { $0.origin == .learned }
            #expect(learned.map(\.shape) == Array(shapes.prefix(20)) && learned[0].reason == "test")
            clock.advance(by: .days(20))
            try await world.store.change { try $0.keepUsed([app: [shapes[3]]], mayDrop: true) }
            #expect(try await world.store.indexes(of: app).count == 21)
            clock.advance(by: .days(11))
            try await world.store.change { try $0.keepUsed([:], mayDrop: false) }
            #expect(try await world.store.indexes(of: app).count == 21)
            try await world.store.change { try $0.keepUsed([:], mayDrop: true) }
            #expect(try await world.store.indexes(of: app).map(\.shape) == [shapes[24], shapes[3]])
            // A declared index that was learned before is dropped only by a declaration.
            try await world.store.declare(IndexDeclaration([shapes[3]]), app: app)
            clock.advance(by: .days(60))
            try await world.store.change { try $0.keepUsed([:], mayDrop: true) }
            #expect(try await world.store.indexes(of: app).map(\.shape) == [shapes[3]])
        }
    }
}
