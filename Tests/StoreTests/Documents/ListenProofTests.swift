// SPDX-License-Identifier: Apache-2.0

import Listening
import SignalboxDocumentModel
import Testing

@testable import DocumentStore

@Suite struct ListenProofTests {
    private let one = ListenStreamID(1)
    private let two = ListenStreamID(2)

    /// Proofs that change within an expectation.
    private final class Proofs {
        private var proofs: ListenProofs

        init(at stamp: Int64) {
            proofs = ListenProofs(at: stamp)
        }

        func set(_ target: Int, of stream: ListenStreamID, restsOn paths: Set<DocumentPath>, provedAt stamp: Int64) -> Bool {
            proofs.set(target, of: stream, restsOn: paths, provedAt: stamp)
        }

        func remove(_ target: Int, of stream: ListenStreamID) { proofs.remove(target, of: stream) }

        func remove(_ stream: ListenStreamID) { proofs.remove(stream) }

        func doubt(_ paths: [DocumentPath], at stamp: Int64) -> Set<ListenStreamID> { proofs.doubt(paths, at: stamp) }

        func doubtAll(at stamp: Int64) -> Set<ListenStreamID> { proofs.doubtAll(at: stamp) }

        func takeDoubtful(of stream: ListenStreamID) -> Set<Int> { proofs.takeDoubtful(of: stream) }
    }

    private static func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }

    @Test func `a proof is doubted by a change of a document that it rests on, once`() throws {
        let proofs = Proofs(at: 5)
        let (ana, bob) = (try Self.path("roles/ana"), try Self.path("roles/bob"))
        #expect(!proofs.set(1, of: one, restsOn: [ana], provedAt: 5))
        #expect(!proofs.set(2, of: one, restsOn: [bob], provedAt: 5))
        #expect(!proofs.set(1, of: two, restsOn: [], provedAt: 5))
        #expect(proofs.doubt([try Self.path("notes/n")], at: 6).isEmpty)
        #expect(proofs.doubt([ana, try Self.path("notes/n")], at: 7) == [one])
        #expect(proofs.takeDoubtful(of: one) == [1] && proofs.takeDoubtful(of: one).isEmpty)
        #expect(!proofs.set(1, of: one, restsOn: [ana], provedAt: 7))
        proofs.remove(2, of: one)
        #expect(proofs.doubt([bob], at: 8).isEmpty)
        #expect(proofs.doubtAll(at: 9) == [one, two])
        #expect(proofs.takeDoubtful(of: two) == [1])
        proofs.remove(one)
        #expect(proofs.takeDoubtful(of: one).isEmpty && proofs.doubt([ana], at: 10).isEmpty)
    }

    @Test func `a decision that did not see a change is doubtful at once`() throws {
        let proofs = Proofs(at: 5)
        let (ana, bob) = (try Self.path("roles/ana"), try Self.path("roles/bob"))
        #expect(proofs.set(1, of: one, restsOn: [ana], provedAt: 4))
        _ = proofs.doubt([ana], at: 7)
        #expect(proofs.set(1, of: one, restsOn: [ana], provedAt: 6))
        #expect(proofs.takeDoubtful(of: one) == [1])
        #expect(!proofs.set(1, of: one, restsOn: [bob], provedAt: 6))
        #expect(!proofs.set(1, of: one, restsOn: [ana], provedAt: 7))
        // Changes that are no longer known may have been about it.
        for stamp in 8...3_000 as ClosedRange<Int64> { _ = proofs.doubt([bob], at: stamp) }
        #expect(proofs.set(1, of: one, restsOn: [ana], provedAt: 9))
        #expect(!proofs.set(1, of: one, restsOn: [ana], provedAt: 2_999))
        _ = proofs.doubtAll(at: 3_001)
        #expect(proofs.set(1, of: one, restsOn: [ana], provedAt: 3_000))
        #expect(!proofs.set(1, of: one, restsOn: [ana], provedAt: 3_001))
    }
}
