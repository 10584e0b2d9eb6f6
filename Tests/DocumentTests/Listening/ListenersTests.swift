// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Testing

@testable import Listening

@Suite struct ListenersTests {
    private static let stream = ListenStreamID(1)

    private static func document(_ path: String, _ fields: [ExactName: DocumentValue], version: Int64) -> ListenedDocument {
        var all = DocumentFields()
        for (name, value) in fields { all[name] = value }
        return ListenedDocument(RandomListening.named(path), all, version: version)
    }

    @Test(arguments: [(1_000, 10_000, 1_000), (3, 10_000, 1_000), (1_000, 2, 1_000), (2, 2, 1_000), (1_000, 10_000, 4)])
    func `after each event all current results are those of its commit`(waiting: Int, duringRead: Int, waitingOfAll: Int) {
        var (events, changes) = (0, 0)
        for seed in 1...120 as ClosedRange<UInt64> {
            var world = ListeningWorld(seed: seed, waiting: waiting, duringRead: duringRead, waitingOfAll: waitingOfAll)
            for _ in 1...250 { world.step() }
            world.settle()
            (events, changes) = (events + world.events, changes + world.changesSent)
        }
        #expect(events > 1_500 && changes > 2_500, "\(events) events, \(changes) changes")
    }

    @Test func `a query is told of what enters and leaves its result`() {
        var listeners = Listeners(at: 10)
        listeners.open(Self.stream)
        var query = DocumentQuery(collection: PathSegment("users"))
        query.filter = .compare(RandomListening.field("room"), .equal, .text("a"))
        let read = listeners.add(ListenTarget(query), as: 1, to: Self.stream).reads[0]
        #expect(read.what == .result(atMost: .max))
        let (ann, moved) = (
            Self.document("users/ann", ["room": .text("a")], version: 9), Self.document("users/ann", ["room": .text("b")], version: 11)
        )
        #expect(listeners.answer(read.id, .result([ann], at: 10)).news == [Self.stream])
        let first = listeners.take(Self.stream).event
        #expect(first?.newlyCurrent == [1] && first?.changes.map(\.change) == [.added(ann)])
        #expect(listeners.take(Self.stream).event == nil)
        #expect(listeners.commit(11, [DocumentChange(ann.path, before: ann, after: moved)]).news == [Self.stream])
        #expect(listeners.take(Self.stream).event?.changes.map(\.change) == [.removed])
        let bob = Self.document("users/bob", ["room": .text("b")], version: 12)
        #expect(listeners.commit(12, [DocumentChange(bob.path, before: nil, after: bob)]).news.isEmpty)
    }

    @Test func `a change asks only targets that it may touch`() {
        var index = ListenIndex()
        func target(_ filter: Filter?, in collection: String = "users") -> ListenTarget {
            var query = DocumentQuery(collection: PathSegment(collection))
            query.filter = filter
            return ListenTarget(query)
        }
        let (room, age, tags) = (RandomListening.field("room"), RandomListening.field("age"), RandomListening.field("tags"))
        let targets = [
            target(.compare(room, .equal, .text("a"))), target(.compare(room, .equal, .text("b"))),
            target(.compare(room, .isIn, .array([.text("b"), .text("c")]))), target(.compare(tags, .contains, .integer(1))),
            target(.compare(age, .greater, .integer(5))), target(nil, in: "rooms"), ListenTarget(RandomListening.named("users/ann")),
            target(.or([.compare(room, .equal, .text("a")), .compare(age, .less, .integer(3))])),
        ]
        let ids = targets.indices.map { ListenEntry.ID(number: $0) }
        for (target, id) in zip(targets, ids) { index.insert(target, as: id) }
        func found(_ path: String, _ fields: [ExactName: DocumentValue]) -> [Int] {
            let after = Self.document(path, fields, version: 1)
            return index.candidates(DocumentChange(after.path, before: nil, after: after)).map(\.number).sorted()
        }
        #expect(found("users/bob", ["room": .text("a")]) == [0, 4, 7])
        #expect(found("users/bob", ["room": .text("b"), "tags": .array([.double(1)])]) == [1, 2, 3, 4, 7])
        #expect(found("users/ann", [:]) == [4, 6, 7])
        #expect(found("rooms/r1", ["room": .text("a")]) == [5])
        #expect(found("other/o", [:]).isEmpty && !index.hears(RandomListening.named("other/o")))
        for (target, id) in zip(targets, ids) { index.remove(target, as: id) }
        #expect(!index.hears(RandomListening.named("users/ann")) && !index.hears(RandomListening.named("rooms/r1")))
    }

    @Test func `equal targets are matched once, and the last listener takes the target along`() {
        var listeners = Listeners(at: 0)
        var query = DocumentQuery(collection: PathSegment("users"))
        var same = query
        query.filter = .compare(RandomListening.field("a"), .greater, .integer(1))
        same.filter = query.filter
        same.orders = query.completeOrders
        for number in 1...3 {
            listeners.open(ListenStreamID(number))
            _ = listeners.add(ListenTarget(number == 2 ? same : query), as: 1, to: ListenStreamID(number))
        }
        #expect(listeners.targetCount == 1 && listeners.streamCount == 3)
        for number in 1...3 { listeners.close(ListenStreamID(number)) }
        #expect(listeners.targetCount == 0 && listeners.streamCount == 0)
    }

    @Test func `a slow stream catches up with net changes`() {
        var limits = Listeners.Limits()
        limits.waiting = 5
        var listeners = Listeners(at: 0, limits)
        listeners.open(Self.stream)
        let read = listeners.add(ListenTarget(DocumentQuery(collection: PathSegment("users"))), as: 1, to: Self.stream).reads[0]
        _ = listeners.answer(read.id, .result([], at: 0))
        #expect(listeners.take(Self.stream).event?.stamp == 0)
        let changes = (1...10).map { number in
            let document = Self.document("users/u\(number)", [:], version: Int64(number))
            return DocumentChange(document.path, before: nil, after: document)
        }
        for (number, change) in changes.enumerated() { _ = listeners.commit(Int64(number + 1), [change]) }
        let (event, work) = listeners.take(Self.stream)
        #expect(event == nil && work.reads.map(\.what) == [.changes(since: 0)])
        #expect(listeners.take(Self.stream).event == nil, "the stream waits for the read")
        _ = listeners.answer(work.reads[0].id, .changes(changes, at: 10))
        let caught = listeners.take(Self.stream).event
        #expect(caught?.stamp == 10 && caught?.changes.count == 10 && caught?.resets == [])
    }

    @Test func `streams with many changes catch up from the log when too many wait for all`() {
        var limits = Listeners.Limits()
        (limits.waitingOfAll, limits.waitingOfEach) = (10, 3)
        var listeners = Listeners(at: 0, limits)
        let (slow, quick) = (ListenStreamID(1), ListenStreamID(2))
        for stream in [slow, quick] {
            listeners.open(stream)
            let read = listeners.add(ListenTarget(DocumentQuery(collection: PathSegment("users"))), as: 1, to: stream).reads[0]
            _ = listeners.answer(read.id, .result([], at: 0))
            #expect(listeners.take(stream).event?.stamp == 0)
        }
        for number in 1...12 as ClosedRange<Int64> {
            let document = Self.document("users/u\(number)", [:], version: number)
            _ = listeners.commit(number, [DocumentChange(document.path, before: nil, after: document)])
            #expect(listeners.take(quick).event?.changes.count == 1, "a client that reads gets each change")
        }
        #expect(listeners.waiting == 0, "the slow stream has forgotten its changes")
        #expect(listeners.take(slow).work.reads.map(\.what) == [.changes(since: 0)])
        for stream in [slow, quick] { listeners.close(stream) }
        #expect(listeners.waiting == 0)
    }

    @Test func `one first result waits for a slow client, however many targets it asks for`() {
        var listeners = Listeners(at: 0)
        listeners.open(Self.stream)
        let reads = (1...3).flatMap { number in
            var query = DocumentQuery(collection: PathSegment("users"))
            query.filter = .compare(RandomListening.field("n"), .greater, .integer(Int64(number)))
            return listeners.add(ListenTarget(query), as: number, to: Self.stream).reads
        }
        #expect(reads.count == 1)
        #expect(listeners.answer(reads[0].id, .result([], at: 0)).reads.isEmpty)
        let (event, work) = listeners.take(Self.stream)
        #expect(event?.newlyCurrent == [1] && work.reads.count == 1)
        listeners.remove(2, from: Self.stream)
        #expect(listeners.take(Self.stream).work.reads.count == 1, "the target behind a removed one is read")
    }

    @Test func `a hot document waits once however often it changes`() {
        var limits = Listeners.Limits()
        limits.waiting = 5
        var listeners = Listeners(at: 0, limits)
        listeners.open(Self.stream)
        let path = RandomListening.named("users/ann")
        let read = listeners.add(ListenTarget(path), as: 1, to: Self.stream).reads[0]
        var last = Self.document("users/ann", [:], version: 0)
        _ = listeners.answer(read.id, .result([last], at: 0))
        _ = listeners.take(Self.stream)
        for stamp in 1...5_000 as ClosedRange<Int64> {
            let next = Self.document("users/ann", ["n": .integer(stamp)], version: stamp)
            _ = listeners.commit(stamp, [DocumentChange(path, before: last, after: next)])
            last = next
        }
        #expect(listeners.take(Self.stream).event?.changes.map(\.change) == [.modified(last)])
    }
}
