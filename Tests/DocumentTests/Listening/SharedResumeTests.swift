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

    /// Makes passes until each read has a result, or too large a one.
    private static func findings(
        of reads: [ListenRead], in log: [Row], _ now: [DocumentPath: ListenedDocument], mostBytes: Int
    ) -> [SharedResume.Finding] {
        var (findings, left) = ([SharedResume.Finding](repeating: .left, count: reads.count), Array(reads.indices))
        while !left.isEmpty {
            var resume = SharedResume(left.map { reads[$0] }, mostBytes: mostBytes)
            for row in log where row.stamp > resume.start {
                resume.add(DocumentChange(row.path, before: row.before, after: now[row.path]), at: row.stamp)
            }
            for (place, finding) in zip(left, resume.findings) { findings[place] = finding }
            let still = left.filter { findings[$0] == .left }
            #expect(still.count < left.count, "each pass has a result for a read")
            if still.count == left.count { break }
            left = still
        }
        return findings
    }

    @Test func `a read with too many bytes has no result, and of several the last ones are left`() throws {
        let paths = try (1...4).map { try #require(DocumentPath("messages/m\($0)")) }
        let rows = try paths.enumerated().map { (try Self.document($1, 2, Int64($0 + 1)), Int64($0 + 1)) }
        let change = DocumentChange(paths[0], before: nil, after: rows[0].0)
        let target = try Self.targets()[1]
        func findings(since: [Int64], mostBytes: Int) -> [Int?] {
            let reads = since.enumerated().map { ListenRead(id: $0, target: target, what: .changes(since: $1), client: .server) }
            var resume = SharedResume(reads, mostBytes: mostBytes)
            for (document, stamp) in rows { resume.add(DocumentChange(document.path, before: nil, after: document), at: stamp) }
            return resume.findings.map { finding in
                switch finding {
                case .changes(let changes): changes.count
                case .tooMany: -1
                case .left: nil
                }
            }
        }
        #expect(findings(since: [0, 0, 2], mostBytes: 4 * change.bytes) == [4, 4, 2], "changes in common count once")
        #expect(findings(since: [2, 0, 2], mostBytes: 3 * change.bytes) == [2, -1, 2])
        #expect(findings(since: [0, 1, 3], mostBytes: 3 * change.bytes) == [-1, 3, 1])
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
                for _ in 0..<3 {
                    let since = Int64(random.next() % 13)
                    reads.append(ListenRead(id: reads.count, target: target, what: .changes(since: since), client: .server))
                }
            }
            let findings = Self.findings(of: reads, in: log, now, mostBytes: 300 + Int(random.next() % 3_000))
            for (read, finding) in zip(reads, findings) {
                guard case .changes(let since) = read.what, case .changes(let changes) = finding else { continue }
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
