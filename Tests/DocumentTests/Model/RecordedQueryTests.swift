// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import Testing

/// Random queries return what Google's emulator returned.
@Suite struct RecordedQueryTests {
    private typealias Recorded = RecordedAnswers

    /// Queries that the emulator refuses for want of an index of a certain shape. Ours are answered.
    private static let answeredByOurs = ["after the key", "descending key", "in the same query with", "Equality on key"]

    @Test func `queries return what the emulator returned`() throws {
        var (compared, refused) = (0, 0)
        for world in try Recorded.lines("queries.ndjson") {
            let documents = try Recorded.object(world["docs"]).map { path, fields in
                RecordedDocument(path: try #require(DocumentPath(path)), fields: try Recorded.fields(fields))
            }
            for recorded in Recorded.list(world["queries"]) {
                let query = try RecordedQuery.read(Recorded.object(recorded["q"]))
                guard let names = recorded["a"] as? [String] else {
                    let message = Recorded.text(Recorded.object(recorded["a"])["error"])
                    guard !Self.answeredByOurs.contains(where: message.contains) else { continue }
                    #expect(throws: QueryFault.self, "\(recorded)") { try query.validate() }
                    refused += 1
                    continue
                }
                try query.validate()
                #expect(query.result(of: documents).map(\.path.description) == names, "\(recorded)")
                compared += 1
            }
        }
        #expect(compared > 700 && refused > 50)
    }
}
