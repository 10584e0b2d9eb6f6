// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Testing

@testable import DocumentStore

@Suite struct DocumentHoldsTests {
    private static let start = ContinuousClock.now
    private static let (server, user) = (holder(.server), holder(.user, "u"))

    private static func holder(_ kind: DocumentHolds.Group.Kind, _ client: ExactName? = nil) -> DocumentHolds.Holder {
        DocumentHolds.Holder(.init(app: AppID(rawValue: 1), kind: kind), client: client)
    }

    private static func id(_ number: UInt8) -> DocumentHolds.ID { DocumentHolds.ID([number]) }

    private static func paths(_ texts: String...) throws -> [DocumentPath] { try texts.map { try #require(DocumentPath($0)) } }

    private static func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    /// The waits that ended: `1 held`, `2 over`.
    private static func settled(_ holds: inout DocumentHolds) -> [String] {
        holds.takeSettled().map { "\($0.id.bytes[0]) \($0.isHeld ? "held" : "over")" }.sorted()
    }

    @Test func `transactions have a document one after the other, and commits without a hold wait behind them`() throws {
        var holds = DocumentHolds()
        let document = try Self.paths("c/a")
        for number: UInt8 in 1...2 { holds.join(Self.id(number), document, as: Self.server, at: Self.start) }
        holds.join(commit: Self.id(3), try Self.paths("c/a", "c/free"), as: Self.server, at: Self.start)
        holds.join(commit: Self.id(4), try Self.paths("c/free"), as: Self.server, at: Self.start)
        #expect(Self.settled(&holds) == ["1 held", "4 over"])
        #expect(holds.commit(Self.id(1), as: Self.server, at: Self.at(10)) == true)
        holds.end(Self.id(1), at: Self.at(20))
        #expect(Self.settled(&holds) == ["2 held"])
        holds.end(Self.id(2), at: Self.at(30))
        #expect(Self.settled(&holds) == ["3 held"])
        holds.end(Self.id(3), at: Self.at(40))
        #expect(holds.isEmpty && holds.next == nil)
    }

    @Test func `a hold has all its documents or none, so two that want each other's do not block`() throws {
        var holds = DocumentHolds()
        holds.join(Self.id(1), try Self.paths("c/a"), as: Self.server, at: Self.start)
        holds.join(Self.id(2), try Self.paths("c/b", "c/a"), as: Self.server, at: Self.start)
        holds.join(Self.id(3), try Self.paths("c/a", "c/b"), as: Self.server, at: Self.start)
        #expect(Self.settled(&holds) == ["1 held"])
        // What somebody waits for is not added to a hold.
        #expect(holds.extend(Self.id(1), try Self.paths("c/b", "c/x"), as: Self.server))
        holds.end(Self.id(1), at: Self.at(1))
        #expect(Self.settled(&holds) == ["2 held"])
        holds.end(Self.id(2), at: Self.at(2))
        #expect(Self.settled(&holds) == ["3 held"])
        holds.join(Self.id(4), try Self.paths("c/x"), as: Self.server, at: Self.at(2))
        #expect(Self.settled(&holds) == ["4 held"])
    }

    @Test func `a holder that disappears delays others by two seconds, and a commit waits no longer`() throws {
        var holds = DocumentHolds()
        let document = try Self.paths("c/a")
        for number: UInt8 in 1...2 { holds.join(Self.id(number), document, as: Self.server, at: Self.start) }
        holds.join(commit: Self.id(3), document, as: Self.server, at: Self.at(500))
        holds.expire(at: Self.at(1_999))
        #expect(Self.settled(&holds) == ["1 held"])
        holds.expire(at: Self.at(2_000))
        #expect(Self.settled(&holds) == ["2 held"])
        #expect(holds.commit(Self.id(1), as: Self.server, at: Self.at(2_100)) == false, "its hold is over")
        holds.expire(at: Self.at(2_500))
        #expect(Self.settled(&holds) == ["3 over"])
    }

    @Test func `a client that held documents for long without a commit has no hold for some time`() throws {
        var bounds = DocumentHolds.Bounds()
        bounds.unused = .seconds(3)
        var holds = DocumentHolds(bounds)
        for number: UInt8 in 1...3 {
            let now = Self.at(2_000 * (Int(number) - 1))
            holds.expire(at: now)
            holds.join(Self.id(number), try Self.paths("c/\(number)"), as: Self.user, at: now)
        }
        #expect(Self.settled(&holds) == ["1 held", "2 held", "3 over"], "nearly four seconds were held for nothing")
        holds.join(Self.id(4), try Self.paths("c/a"), as: Self.holder(.user, "other"), at: Self.at(4_000))
        #expect(Self.settled(&holds) == ["4 held"])
        #expect(holds.commit(Self.id(4), as: Self.user, at: Self.at(4_000)) == false, "it is another user's")
        holds.join(Self.id(6), try Self.paths("c/z"), as: Self.user, at: Self.at(15_000))
        #expect(Self.settled(&holds) == ["6 held"], "a tenth of the time is forgiven")
    }

    @Test func `a client that changes what it holds may hold again at once`() throws {
        for (written, isHeld) in [(["c/a"], true), (["c/b"], false), ([], false)] as [([String], Bool)] {
            var holds = DocumentHolds()
            for number: UInt8 in 1...4 {
                holds.join(Self.id(number), try Self.paths("c/a"), as: Self.user, at: Self.at(1_900 * Int(number)))
                let changed = try written.map { try #require(DocumentPath($0)) }
                holds.end(Self.id(number), changed: changed, at: Self.at(1_900 * Int(number) + 1_900))
            }
            #expect(Self.settled(&holds) == ["1 held", "2 held", "3 held", isHeld ? "4 held" : "4 over"], "\(written)")
        }
    }

    @Test func `users who change nothing delay the commits of a document for four seconds in forty, however many they are`() throws {
        var holds = DocumentHolds()
        var delayed = 0
        for number: UInt8 in 0..<40 {
            let now = Self.at(2_000 * Int(number))
            holds.expire(at: now)
            holds.join(Self.id(number), try Self.paths("c/a"), as: Self.holder(.user, ExactName("u\(number)")), at: now)
            holds.join(commit: Self.id(100 + number), try Self.paths("c/a"), as: Self.user, at: now)
            if Self.settled(&holds).contains("\(number) held") { delayed += 1 }
        }
        #expect((4...6).contains(delayed), "each of 2 s, in 80 s")
        holds.join(Self.id(200), try Self.paths("c/a"), as: Self.server, at: Self.at(80_000))
        #expect(Self.settled(&holds).contains("200 held"), "servers hold at any time")
    }

    @Test func `commits that waited for a hold go on together, and a later hold waits for them`() throws {
        var holds = DocumentHolds()
        let document = try Self.paths("c/a")
        holds.join(Self.id(1), document, as: Self.server, at: Self.start)
        for number: UInt8 in 2...4 { holds.join(commit: Self.id(number), document, as: Self.user, at: Self.start) }
        holds.join(Self.id(5), document, as: Self.server, at: Self.start)
        holds.join(commit: Self.id(6), document, as: Self.user, at: Self.start)
        #expect(Self.settled(&holds) == ["1 held"])
        holds.end(Self.id(1), at: Self.at(1))
        #expect(Self.settled(&holds) == ["2 held", "3 held", "4 held"])
        for number: UInt8 in [3, 2] { holds.end(Self.id(number), at: Self.at(2)) }
        #expect(Self.settled(&holds) == [])
        holds.end(Self.id(4), at: Self.at(3))
        #expect(Self.settled(&holds) == ["5 held"])
        holds.end(Self.id(5), at: Self.at(4))
        #expect(Self.settled(&holds) == ["6 held"])
        holds.join(commit: Self.id(7), document, as: Self.user, at: Self.at(4))
        #expect(Self.settled(&holds) == ["7 over"], "nobody holds it")
        holds.end(Self.id(6), at: Self.at(5))
        #expect(holds.isEmpty)
    }

    @Test func `clients of one address hold documents beside each other, up to a bound`() throws {
        var bounds = DocumentHolds.Bounds()
        (bounds.holdsOfClient, bounds.queue) = (3, 4)
        var holds = DocumentHolds(bounds)
        let address = Self.holder(.anyone, "address")
        for number: UInt8 in 1...4 { holds.join(Self.id(number), try Self.paths("c/\(number)"), as: address, at: Self.start) }
        #expect(Self.settled(&holds) == ["1 held", "2 held", "3 held", "4 over"])
        holds.end(Self.id(2), at: Self.start)
        holds.join(Self.id(5), try Self.paths("c/1"), as: address, at: Self.start)
        for number: UInt8 in 6...8 { holds.join(commit: Self.id(number), try Self.paths("c/1"), as: Self.user, at: Self.start) }
        #expect(Self.settled(&holds) == ["8 over"], "the queue of the document is full")
    }

    @Test func `commits of a client count with its holds, and servers have no such bound`() throws {
        var bounds = DocumentHolds.Bounds()
        bounds.holdsOfClient = 2
        var holds = DocumentHolds(bounds)
        let document = try Self.paths("c/a")
        holds.join(Self.id(1), document, as: Self.server, at: Self.start)
        for number: UInt8 in 2...4 { holds.join(commit: Self.id(number), document, as: Self.user, at: Self.start) }
        holds.join(Self.id(5), try Self.paths("c/b"), as: Self.user, at: Self.start)
        for number: UInt8 in 6...8 { holds.join(commit: Self.id(number), document, as: Self.server, at: Self.start) }
        #expect(Self.settled(&holds) == ["1 held", "4 over", "5 over"])
        holds.end(Self.id(2), at: Self.start)
        holds.join(Self.id(9), try Self.paths("c/b"), as: Self.user, at: Self.start)
        #expect(Self.settled(&holds) == ["2 over", "9 held"])
    }

    @Test func `a hundred hold a document or wait for it, and further ones do not`() throws {
        var holds = DocumentHolds()
        let document = try Self.paths("c/a")
        for number: UInt8 in 0...100 { holds.join(Self.id(number), document, as: Self.server, at: Self.start) }
        #expect(Self.settled(&holds) == ["0 held", "100 over"])
    }

    @Test func `holds are bounded, by documents and by group`() throws {
        var bounds = DocumentHolds.Bounds()
        (bounds.documents, bounds.documentsOfGroup) = (2, 3)
        var holds = DocumentHolds(bounds)
        holds.join(Self.id(1), try Self.paths("c/a", "c/b", "c/c"), as: Self.server, at: Self.start)
        holds.join(Self.id(2), try Self.paths("c/a", "c/b"), as: Self.server, at: Self.start)
        holds.join(Self.id(3), try Self.paths("c/c", "c/d"), as: Self.server, at: Self.start)
        #expect(Self.settled(&holds) == ["1 over", "2 held", "3 over"])
        holds.join(Self.id(4), try Self.paths("c/c", "c/d"), as: Self.user, at: Self.start)
        #expect(Self.settled(&holds) == ["4 held"], "users have bounds of their own")
        holds.end(Self.id(2), at: Self.start)
        holds.join(Self.id(5), try Self.paths("c/e", "c/f"), as: Self.server, at: Self.start)
        #expect(Self.settled(&holds) == ["5 held"])
    }
}
