// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Testing

@testable import Listening

/// One pass over a log for many targets finds what each would find alone.
@Suite struct SharedResumeTests {
    private struct Row {
        let stamp: Int64
        let path: DocumentPath
        let before: ListenedDocument?
    }

    private static func document(_ path: DocumentPath, _ room: Int, _ stamp: Int64) throws -> ListenedDocument {
        let fields = try #require(DocumentFields([DocumentFields.Field(ExactName("room"), .integer(Int64(room)))]))
        return ListenedDocument(path, fields, created: 0, version: stamp)
    }

    /// Targets by an equality, two of them, an inequality and one document.
    private static func targets() throws -> [ListenTarget] {
        let room = try #require(FieldPath("room"))
        let filters: [Filter] = [
            .compare(room, .equal, .integer(1)), .compare(room, .equal, .integer(2)), .compare(room, .greater, .integer(1)),
            .or([.compare(room, .equal, .integer(0)), .compare(room, .equal, .integer(3))]),
        ]
        return filters.map { filter in
            var query = DocumentQuery(collection: PathSegment("messages"))
            query.filter = filter
            return ListenTarget(query)
        }
    }

    @Test func `each target gets the changes between its commit and now`() throws {
        var random = SeededGenerator(3)
        for _ in 0..<300 {
            var (now, log): ([DocumentPath: ListenedDocument], [Row]) = ([:], [])
            // The documents in each room after each commit.
            var history: [[DocumentPath: ListenedDocument]] = [[:]]
            for stamp in Int64(1)...12 {
                let path = try #require(DocumentPath("messages/m\(random.next() % 4)"))
                log.append(Row(stamp: stamp, path: path, before: now[path]))
                now[path] = random.next() % 4 == 0 ? nil : try Self.document(path, Int(random.next() % 5), stamp)
                history.append(now)
            }
            var reads: [ListenRead] = []
            for target in try Self.targets() {
                for _ in 0..<3 { reads.append(ListenRead(id: reads.count, target: target, what: .changes(since: Int64(random.next() % 13)))) }
            }
            var resume = SharedResume(reads)
            for row in log where row.stamp > resume.start {
                resume.add(DocumentChange(row.path, before: row.before, after: now[row.path]), at: row.stamp)
            }
            for (read, changes) in zip(reads, resume.changes) {
                guard case .changes(let since) = read.what else { continue }
                #expect(Set(changes.map(\.path)).count == changes.count, "a document is told once")
                let told = changes.filter { read.target.meaning(of: $0) != nil }.map { DocumentChange($0.path, before: $0.before, after: $0.after) }
                let before = history[Int(since)]
                let expected = Set(log.filter { $0.stamp > since }.map(\.path)).map { DocumentChange($0, before: before[$0], after: now[$0]) }
                    .filter { read.target.meaning(of: $0) != nil }
                #expect(Set(told) == Set(expected))
            }
        }
    }
}
