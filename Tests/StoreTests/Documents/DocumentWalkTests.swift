// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import DocumentStore

/// Random programs of commits, queries and reads of earlier states, compared with dictionaries and the model's definition of a query.
@Suite struct DocumentWalkTests {
    private typealias World = DocumentWorld

    private static let collections = ["a", "b", "a/d1/a", "a/d1/b", "b/d2/a"]

    /// The documents after each commit, by stamp.
    private struct Model {
        var states: [(stamp: DocumentTime, documents: [DocumentPath: StoredDocument])] = []
        var now: [DocumentPath: StoredDocument] { states.last?.documents ?? [:] }

        /// Applies a commit as a list of single writes. Returns nil if one is refused.
        func applying(_ writes: [DocumentWrite], at stamp: DocumentTime) -> [DocumentPath: StoredDocument]? {
            var documents = now
            for write in writes {
                let old = documents[write.path]
                guard let outcome = try? write.apply(to: old?.fields, version: old?.version, at: stamp) else { return nil }
                guard let fields = outcome.fields else {
                    documents[write.path] = nil
                    continue
                }
                if case .verify = write.change { continue }
                if old?.fields == fields { continue }
                documents[write.path] = StoredDocument(write.path, fields, created: old?.created ?? stamp, version: stamp)
            }
            return documents
        }
    }

    private struct Dice {
        var random: SeededGenerator

        mutating func path() throws -> DocumentPath {
            try World.path("\(DocumentWalkTests.collections.randomElement(using: &random) ?? "a")/d\(Int.random(in: 0..<6, using: &random))")
        }

        mutating func value() -> DocumentValue {
            [.integer(Int64.random(in: -2...3, using: &random)), .double(0.5), .text("é"), .null, .array([.integer(1), .text("x")])]
                .randomElement(using: &random) ?? .null
        }

        mutating func write() throws -> DocumentWrite {
            let path = try path()
            let condition: DocumentWrite.Precondition? = Int.random(in: 0..<8, using: &random) == 0 ? .exists(Bool.random(using: &random)) : nil
            let fields = try World.fields(["n", "m"].filter { _ in Bool.random(using: &random) }.map { (ExactName($0), value()) })
            let n = try #require(FieldPath("n"))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return DocumentWrite(path, .delete, if: condition)
            case 1: return DocumentWrite(path, .verify, if: condition)
            case 2: return DocumentWrite(path, .set(fields, mask: [n]), if: condition)
            case 3:
                return DocumentWrite(path, .set(fields, mask: []), transforms: [.init(n, .increment(.integer(1)))], if: condition)
            default: return DocumentWrite(path, .set(fields, mask: nil), if: condition)
            }
        }

        mutating func query() throws -> DocumentQuery {
            var query = World.query(["a", "b"].randomElement(using: &random) ?? "a", everyDepth: Bool.random(using: &random))
            let n = try #require(FieldPath("n"))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: query.filter = .compare(n, .atLeast, .integer(0))
            case 1: query.filter = .or([.compare(n, .equal, value()), .unary(n, .isNull)])
            default: break
            }
            if Bool.random(using: &random) { query.orders = [.init(n, descending: Bool.random(using: &random))] }
            if Bool.random(using: &random) { query.orders.append(.init(.name, descending: Bool.random(using: &random))) }
            if Bool.random(using: &random) { query.limit = Int.random(in: 0..<6, using: &random) }
            if Int.random(in: 0..<4, using: &random) == 0 { query.offset = Int.random(in: 0..<3, using: &random) }
            return query
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func `commits and queries equal those of dictionaries, at any stamp`(seed: UInt64) async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(World.start))
        var (model, dice) = (Model(), Dice(random: SeededGenerator(seed)))
        for _ in 0..<2 {
            (model, dice) = try await World.run(in: folder, clock) { [model, dice] world async throws in
                var (model, dice) = (model, dice)
                for _ in 0..<60 {
                    try await Self.commit(world, &model, &dice)
                    if Bool.random(using: &dice.random) { clock.advance(by: .seconds(Int64.random(in: -1...3, using: &dice.random))) }
                    try await Self.check(world, model, &dice)
                }
                return (model, dice)
            }
        }
    }

    private static func commit(_ world: DocumentWorld, _ model: inout Model, _ dice: inout Dice) async throws {
        let writes = try (0..<Int.random(in: 1...4, using: &dice.random)).map { _ in try dice.write() }
        let result = try? await world.store.commit(DocumentCommit(writes), app: world.app)
        // A refused commit has no stamp; any later one shows that the model refuses it too.
        let last = try #require(DocumentTime(microseconds: DocumentTime.range.upperBound))
        let after = model.applying(writes, at: result?.stamp ?? last)
        #expect((after == nil) == (result == nil), "\(writes)")
        if let result, let after {
            #expect(result.stamp > model.states.last?.stamp ?? .epoch)
            model.states.append((result.stamp, after))
        }
    }

    private static func check(_ world: DocumentWorld, _ model: Model, _ dice: inout Dice) async throws {
        let query = try dice.query()
        guard let state = Bool.random(using: &dice.random) ? model.states.last : model.states.randomElement(using: &dice.random) else { return }
        let found = try await world.store.run(query, app: world.app, at: state.stamp)
        #expect(found.documents == query.result(of: Array(state.documents.values)), "\(query) at \(state.stamp)")
        let path = try dice.path()
        #expect(try await world.store.documents([path], app: world.app, at: state.stamp).documents == [state.documents[path]])
        let now = try await world.store.aggregate([.count(upTo: nil)], over: DocumentQuery(collection: query.collection), app: world.app)
        #expect(now.values == [.integer(Int64(model.now.keys.count { $0.parent == query.collection.flatMap { DocumentPath([$0]) } }))])
    }
}
