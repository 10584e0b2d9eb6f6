// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Testing

@testable import Listening

@Suite struct LimitWindowTests {
    private static let (one, other) = (ListenStreamID(1), ListenStreamID(2))

    private static func document(_ id: String, _ text: String, version: Int64) -> ListenedDocument {
        var fields = DocumentFields()
        fields["s"] = .text(ExactName(text))
        return ListenedDocument(RandomListening.named("c/\(id)"), fields, version: version)
    }

    private static func target(limit: Int) -> ListenTarget {
        var query = DocumentQuery(collection: PathSegment("c"))
        (query.orders, query.limit) = ([DocumentQuery.Order(RandomListening.field("s"))], limit)
        return ListenTarget(query)
    }

    private static func long(_ end: String) -> String { String(repeating: "q", count: 2_000) + end }

    @Test func `rows with values that are equal as far as keys go are read again`() {
        var listeners = Listeners(at: 0)
        listeners.open(Self.one)
        let read = listeners.add(Self.target(limit: 2), as: 1, to: Self.one).reads[0]
        let (a, b) = (Self.document("a", Self.long("2"), version: 0), Self.document("b", "r", version: 0))
        _ = listeners.answer(read.id, .result([a, b], at: 0))
        _ = listeners.take(Self.one)
        // A key tells that p is before the cut value, but not where another one with the same beginning is.
        let p = Self.document("p", "p", version: 1)
        #expect(listeners.commit(1, [DocumentChange(p.path, before: nil, after: p)]).reads.isEmpty)
        #expect(listeners.take(Self.one).event?.changes.map(\.change) == [.removed, .added(p)])
        let z = Self.document("z", Self.long("1"), version: 2)
        let again = listeners.commit(2, [DocumentChange(z.path, before: nil, after: z)]).reads
        #expect(again.count == 1 && listeners.take(Self.one).event == nil)
        _ = listeners.answer(again[0].id, .result([p, z], at: 2))
        #expect(listeners.take(Self.one).event?.changes.map(\.change) == [.removed, .added(z)])
    }

    @Test func `memory of rows does not grow with their values, and is free without listeners`() {
        var listeners = Listeners(at: 0)
        for stream in [Self.one, Self.other] { listeners.open(stream) }
        let documents = (0..<10).map { Self.document("d\($0)", "\($0)" + Self.long(Self.long("")), version: 0) }
        for stream in [Self.one, Self.other] {
            let read = listeners.add(Self.target(limit: 10), as: 1, to: stream).reads[0]
            _ = listeners.answer(read.id, .result(documents, at: 0))
        }
        #expect((15_000..<25_000).contains(listeners.windowBytes), "equal targets have the same rows: \(listeners.windowBytes)")
        let gone = DocumentChange(documents[3].path, before: documents[3], after: nil)
        let before = listeners.windowBytes
        _ = listeners.commit(1, [gone])
        #expect(listeners.windowBytes < before)
        listeners.close(Self.one)
        #expect(listeners.windowBytes > 0)
        listeners.close(Self.other)
        #expect(listeners.windowBytes == 0)
    }

    @Test func `rows are bounded for a client and for all, and servers have the most`() {
        var limits = Listeners.Limits()
        (limits.windowBytes, limits.windowBytesOfClient, limits.windowRowsOfClient) = (80_000, 30_000, 20)
        func refused(_ client: ListenClient, rows: Int, targets: Int) -> Set<Int> {
            var listeners = Listeners(at: 0, limits)
            listeners.open(Self.one, for: client)
            let documents = (0..<rows).map { Self.document("d\(100 + $0)", "\(100 + $0)" + Self.long(""), version: 0) }
            for number in 1...targets {
                for read in listeners.add(Self.target(limit: 100 + number), as: number, to: Self.one).reads {
                    _ = listeners.answer(read.id, .result(documents, at: 0))
                }
                while let event = listeners.take(Self.one).event { _ = event }
            }
            return listeners.refused(of: Self.one)
        }
        // A row takes some 1,700 bytes.
        let user = ListenClient.user("u", at: "address")
        #expect(refused(user, rows: 10, targets: 1) == [])
        #expect(refused(user, rows: 10, targets: 2) == [2])
        #expect(refused(user, rows: 21, targets: 1) == [1])
        #expect(refused(.server, rows: 21, targets: 2) == [])
        #expect(refused(.server, rows: 21, targets: 3) == [3])
    }

    @Test func `rows that grow are refused, too`() {
        var limits = Listeners.Limits()
        limits.windowRowsOfClient = 1
        var listeners = Listeners(at: 0, limits)
        listeners.open(Self.one, for: .anyone("address"))
        let read = listeners.add(Self.target(limit: 5), as: 1, to: Self.one).reads[0]
        let (a, b) = (Self.document("a", "a", version: 0), Self.document("b", "b", version: 1))
        _ = listeners.answer(read.id, .result([a], at: 0))
        #expect(listeners.refused(of: Self.one) == [])
        #expect(listeners.commit(1, [DocumentChange(b.path, before: nil, after: b)]).news == [Self.one])
        #expect(listeners.refused(of: Self.one) == [1])
        _ = listeners.remove(1, from: Self.one)
        #expect(listeners.refused(of: Self.one) == [] && listeners.windowBytes == 0)
    }

    @Test func `many users of one address end their own results, not those of others`() {
        var limits = Listeners.Limits()
        (limits.windowBytes, limits.windowBytesOfClient) = (80_000, 30_000)
        var listeners = Listeners(at: 0, limits)
        /// Returns the streams with a refused target.
        func listen(_ stream: Int, _ client: ListenClient, rows: Int) -> Set<Int> {
            listeners.open(ListenStreamID(stream), for: client)
            let documents = (0..<rows).map { Self.document("d\(100 + $0)", "\(100 + $0)" + Self.long(""), version: 0) }
            for read in listeners.add(Self.target(limit: 100 + stream), as: 1, to: ListenStreamID(stream)).reads {
                _ = listeners.answer(read.id, .result(documents, at: 0))
            }
            return Set((1...stream).filter { !listeners.refused(of: ListenStreamID($0)).isEmpty })
        }
        // Users may fill 60,000 bytes; a row takes some 1,700.
        for number in 1...3 { #expect(listen(number, .user(ExactName("u\(number)"), at: "many"), rows: 10) == []) }
        #expect(listen(4, .user("u4", at: "many"), rows: 10) == [4])
        #expect(listen(5, .anyone("one"), rows: 2) == [4, 5], "clients without a token leave memory for users")
        #expect(listen(6, .user("other", at: "one"), rows: 8) == [1, 2, 3, 4, 5])
        #expect(listen(7, .server, rows: 30) == [1, 2, 3, 4, 5])
        #expect(listen(8, .server, rows: 10) == [1, 2, 3, 4, 5, 6], "servers may have all")
        #expect(listen(9, .server, rows: 10) == [1, 2, 3, 4, 5, 6, 9])
    }

    @Test func `results are ended for another client only if that frees enough for it`() {
        var limits = Listeners.Limits()
        limits.windowBytes = 80_000
        var listeners = Listeners(at: 0, limits)
        /// Listens to a target of its own, or to that of another stream. Returns the streams with a refused target.
        func listen(_ stream: Int, _ client: ListenClient, rows: Int, sharing other: Int? = nil) -> Set<Int> {
            listeners.open(ListenStreamID(stream), for: client)
            let documents = (0..<rows).map { Self.document("d\(100 + $0)", "\(100 + $0)" + Self.long(""), version: 0) }
            for read in listeners.add(Self.target(limit: 100 + (other ?? stream)), as: 1, to: ListenStreamID(stream)).reads {
                _ = listeners.answer(read.id, .result(documents, at: 0))
            }
            return Set((1...stream).filter { !listeners.refused(of: ListenStreamID($0)).isEmpty })
        }
        // Servers may fill 80,000 bytes; a row takes some 1,700.
        #expect(listen(1, .server, rows: 19) == [])
        #expect(listen(2, .user("u2", at: "a"), rows: 12) == [])
        #expect(listen(3, .server, rows: 35) == [3], "the user has less than what is lacking")
        #expect(listen(4, .user("u4", at: "b"), rows: 19, sharing: 1) == [3])
        #expect(listen(5, .server, rows: 20) == [2, 3], "ending rows that a server listens to, too, would free nothing")
        #expect(listen(6, .server, rows: 12) == [2, 3, 6])
    }
}
