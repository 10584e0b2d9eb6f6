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

    /// The most changes of each limit and, beyond 1,000, bytes.
    @Test(arguments: [
        (100_000, 100_000, 100_000), (3, 100_000, 100_000), (100_000, 2, 100_000), (2, 2, 100_000), (100_000, 100_000, 4), (1_200, 100_000, 100_000),
        (100_000, 1_200, 100_000), (100_000, 100_000, 1_200),
    ])
    func `after each event all current results are those of its commit`(waiting: Int, duringRead: Int, waitingOfAll: Int) {
        var (events, changes) = (0, 0)
        for seed in 1...40 as ClosedRange<UInt64> {
            var world = ListeningWorld(seed: seed, waiting: waiting, duringRead: duringRead, waitingOfAll: waitingOfAll)
            for _ in 1...250 { world.step() }
            world.settle()
            (events, changes) = (events + world.events, changes + world.changesSent)
        }
        #expect(events > 450 && changes > 750, "\(events) events, \(changes) changes")
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

    @Test(arguments: [ListenClient.server, .anyone("address 2")])
    func `rows that subscribers share are read for servers if one of them is a server`(other: ListenClient) {
        var listeners = Listeners(at: 10)
        var query = DocumentQuery(collection: PathSegment("users"))
        query.limit = 1
        let ann = Self.document("users/ann", [:], version: 9)
        for (number, client) in [ListenClient.anyone("address 1"), other].enumerated() {
            let stream = ListenStreamID(number)
            listeners.open(stream, for: client)
            let read = listeners.add(ListenTarget(query), as: 1, to: stream).reads[0]
            #expect(read.isForUsers == (client != .server))
            _ = listeners.answer(read.id, .result([ann], at: 10))
            #expect(listeners.take(stream).event?.newlyCurrent == [1])
        }
        let next = listeners.commit(11, [DocumentChange(ann.path, before: ann, after: nil)]).reads
        #expect(next.map(\.client) == [nil] && next.map(\.isForUsers) == [other != .server])
    }

    @Test func `a read is not made once nobody waits for it`() {
        var listeners = Listeners(at: 10)
        let target = ListenTarget(RandomListening.named("users/ann"))
        var reads: [ListenRead] = []
        for stream in [ListenStreamID(1), ListenStreamID(2)] {
            listeners.open(stream)
            reads += listeners.add(target, as: 1, to: stream).reads
        }
        let both = listeners.awaited(reads)
        listeners.close(ListenStreamID(1))
        let one = listeners.awaited(reads)
        listeners.close(ListenStreamID(2))
        let none = listeners.awaited(reads)
        #expect(reads.count == 2 && both == reads && one == [reads[1]] && none.isEmpty && listeners.reads.isEmpty)
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

    @Test func `targets are found by fields of any depth, and by the name`() {
        var index = ListenIndex()
        func insert(_ filter: Filter, as number: Int) {
            var query = DocumentQuery(collection: PathSegment("users"))
            query.filter = filter
            index.insert(ListenTarget(query), as: ListenEntry.ID(number: number))
        }
        insert(.compare(RandomListening.field("a"), .equal, .map(DocumentFields([.init("b", .integer(1))])!)), as: 0)
        insert(.compare(RandomListening.field("a.b"), .equal, .integer(1)), as: 1)
        insert(.compare(RandomListening.field("a.b"), .contains, .integer(1)), as: 2)
        insert(.compare(RandomListening.field("a.b.c"), .equal, .integer(1)), as: 3)
        insert(.unary(RandomListening.field("a.b"), .isNull), as: 4)
        insert(.compare(.name, .equal, .reference(DocumentReference(RandomListening.named("users/u")))), as: 5)
        func found(_ id: String, _ value: DocumentValue) -> [Int] {
            let inner = DocumentValue.map(DocumentFields([.init("b", value)])!)
            let after = Self.document("users/\(id)", ["a": inner, "x": .null, "y": .null, "z": .null], version: 1)
            return index.candidates(DocumentChange(after.path, before: nil, after: after)).map(\.number).sorted()
        }
        #expect(found("v", .integer(1)) == [0, 1] && found("v", .double(1)) == [0, 1])
        #expect(found("v", .array([.integer(2), .integer(1)])) == [2])
        #expect(found("v", .map(DocumentFields([.init("c", .integer(1))])!)) == [3])
        #expect(found("v", .null) == [4] && found("u", .integer(3)) == [5])
    }

    @Test func `a change costs the same, however many fields targets are found by`() {
        func lookups(fields: Int) -> Int {
            var targets = FieldTargets()
            for number in 0..<fields {
                let field = RandomListening.field(number % 2 == 0 ? "f\(number)" : "map.f\(number)")
                let place = FieldTargets.Place(names: field.names[...], isElement: false, key: FieldTargets.key(.integer(1)))
                targets.update(place) { $0.insert(ListenEntry.ID(number: number)) }
            }
            let after = Self.document("users/u", ["other": .integer(1), "map": .map(DocumentFields([.init("f1", .integer(2))])!)], version: 1)
            var found: FieldTargets.Entries = []
            let lookups = targets.collect(after.fields, into: &found)
            #expect(found.isEmpty)
            return lookups
        }
        #expect(lookups(fields: 20) == 3 && lookups(fields: 20_000) == 3)
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
        limits.waiting.changes = 5
        var listeners = Self.listening([Self.stream], limits)
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

    /// Streams that listen to all users, and are current.
    private static func listening(_ streams: [ListenStreamID], _ limits: Listeners.Limits) -> Listeners {
        var listeners = Listeners(at: 0, limits)
        for stream in streams {
            listeners.open(stream)
            let read = listeners.add(ListenTarget(DocumentQuery(collection: PathSegment("users"))), as: 1, to: stream).reads[0]
            _ = listeners.answer(read.id, .result([], at: 0))
            #expect(listeners.take(stream).event?.stamp == 0)
        }
        return listeners
    }

    /// A new user of about so many bytes.
    private static func user(_ number: Int64, bytes: Int = 0) -> DocumentChange {
        let document = document("users/u\(number)", ["text": .text(ExactName(String(repeating: "x", count: bytes)))], version: number)
        return DocumentChange(document.path, before: nil, after: document)
    }

    @Test func `streams with many changes catch up from the log when too many wait for all`() {
        var limits = Listeners.Limits()
        limits.waitingOfAll.changes = 10
        let (slow, quick) = (ListenStreamID(1), ListenStreamID(2))
        var listeners = Self.listening([slow, quick], limits)
        for number in 1...12 as ClosedRange<Int64> {
            _ = listeners.commit(number, [Self.user(number)])
            #expect(listeners.take(quick).event?.changes.count == 1, "a client that reads gets each change")
        }
        #expect(listeners.backlog == Backlog(), "the slow stream has forgotten its changes")
        #expect(listeners.take(slow).work.reads.map(\.what) == [.changes(since: 0)])
        for stream in [slow, quick] { listeners.close(stream) }
        #expect(listeners.backlog == Backlog())
    }

    @Test func `a stream with too many bytes catches up, and a document counts once`() {
        var limits = Listeners.Limits()
        limits.waiting.bytes = 10_000
        var listeners = Self.listening([Self.stream], limits)
        // The same user for a second target, and once more for both.
        let read = listeners.add(ListenTarget(RandomListening.named("users/u1")), as: 2, to: Self.stream).reads[0]
        _ = listeners.answer(read.id, .result([], at: 0))
        _ = listeners.take(Self.stream)
        _ = listeners.commit(1, [Self.user(1, bytes: 6_000)])
        _ = listeners.commit(
            2, [DocumentChange(RandomListening.named("users/u1"), before: Self.user(1).after, after: Self.user(1, bytes: 8_000).after)])
        #expect((8_000..<8_200).contains(listeners.backlog.bytes) && listeners.backlog.changes == 2)
        _ = listeners.commit(3, [Self.user(3, bytes: 3_000)])
        #expect(listeners.backlog == Backlog())
        #expect(listeners.take(Self.stream).work.reads.map(\.what) == [.changes(since: 0), .changes(since: 0)])
    }

    @Test func `bytes that wait for all streams are bounded, whichever streams they wait for`() {
        var limits = Listeners.Limits()
        (limits.waiting.bytes, limits.waitingOfAll.bytes) = (10_000, 50_000)
        var listeners = Self.listening((1...20).map(ListenStreamID.init), limits)
        for number in 1...20 as ClosedRange<Int64> {
            _ = listeners.commit(number, [Self.user(number, bytes: 2_000)])
            #expect(listeners.backlog.bytes <= 2 * 50_000)
        }
    }

    @Test func `an app with many streams does not take the places of another app`() {
        var limits = Listeners.Limits()
        limits.waitingOfAll = Backlog(changes: 100, bytes: 1 << 20)
        var (large, small) = (Self.listening((1...20).map(ListenStreamID.init), limits), Self.listening([Self.stream], limits))
        for number in 1...30 as ClosedRange<Int64> {
            (large.shared.ofOthers, large.shared.apps) = (small.backlog, 2)
            _ = large.commit(number, [Self.user(number)])
            (small.shared.ofOthers, small.shared.apps) = (large.backlog, 2)
            _ = small.commit(number, [Self.user(number)])
            #expect((large.backlog + small.backlog).changes <= 2 * 100)
        }
        #expect(small.backlog.changes == 30, "an app within its part keeps its changes")
        #expect(small.take(Self.stream).event?.changes.count == 30)
        // Which streams forget their changes is left open.
        #expect((1...20).contains { large.take(ListenStreamID($0)).work.reads.map(\.what) == [.changes(since: 0)] })
    }

    @Test func `changes that are kept for reads are bounded together`() {
        var limits = Listeners.Limits()
        limits.waitingOfAll.changes = 100
        var listeners = Listeners(at: 0, limits)
        var reads: [ListenRead] = []
        for number in 1...20 {
            listeners.open(ListenStreamID(number))
            var query = DocumentQuery(collection: PathSegment("users"))
            query.filter = .compare(RandomListening.field("text"), .atLeast, .text(ExactName("\(number)")))
            reads += listeners.add(ListenTarget(query), as: 1, to: ListenStreamID(number)).reads
        }
        for number in 1...30 as ClosedRange<Int64> {
            _ = listeners.commit(number, [Self.user(number)])
            #expect(listeners.backlog.changes <= 2 * 100)
        }
        #expect(listeners.answer(reads[0].id, .result([], at: 0)).reads.map(\.what) == [.result(atMost: .max)], "the read is repeated")
        for read in reads.dropFirst() { _ = listeners.answer(read.id, .result([], at: 30)) }
        for number in 1...20 { listeners.close(ListenStreamID(number)) }
        #expect(listeners.backlog == Backlog())
    }

    @Test func `a result that was read gives its room back when it is not sent`() {
        var limits = Listeners.Limits()
        limits.waiting.changes = 5
        var listeners = Self.listening([Self.stream], limits)
        func load(_ number: Int) -> Int? {
            let read = listeners.add(ListenTarget(RandomListening.named("users/u\(number)")), as: number, to: Self.stream).reads[0]
            let result = ListenAnswer.result([Self.document("users/u\(number)", [:], version: 0)], at: 0)
            return listeners.answer(read.id, result, bytes: 700).loaded[Self.stream]
        }
        #expect(load(2) == 700)
        #expect(listeners.remove(2, from: Self.stream).loaded == [Self.stream: 0])
        #expect(load(3) == 700)
        let works = (1...6).map { listeners.commit($0, [Self.user($0)]) }
        #expect(works.map(\.loaded) == [[:], [:], [:], [:], [:], [Self.stream: 0]], "a stream that falls behind")
        _ = listeners.take(Self.stream)
        listeners.close(Self.stream)
        listeners = Self.listening([Self.stream], limits)
        #expect(load(4) == 700 && listeners.skip(to: 9).loaded == [Self.stream: 0])
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
        _ = listeners.remove(2, from: Self.stream)
        #expect(listeners.take(Self.stream).work.reads.count == 1, "the target behind a removed one is read")
    }

    @Test func `commits that come together tell a stream of each document once`() {
        var listeners = Self.listening([Self.stream], Listeners.Limits())
        let ann = (1...3).map { Self.document("users/ann", ["n": .integer($0)], version: $0) }
        let bob = Self.document("users/bob", [:], version: 1)
        let commits = [
            [DocumentChange(ann[0].path, before: nil, after: ann[0]), DocumentChange(bob.path, before: nil, after: bob)],
            [DocumentChange(ann[0].path, before: ann[0], after: ann[1])],
            [DocumentChange(bob.path, before: bob, after: nil), DocumentChange(ann[0].path, before: ann[1], after: ann[2])],
        ]
        _ = listeners.commit(zip(1..., commits).map { ListenedCommit(stamp: $0, changes: $1) })
        let event = listeners.take(Self.stream).event
        #expect(event?.stamp == 3 && event?.changes.map(\.change) == [.added(ann[2])])
    }

    @Test func `a hot document waits once however often it changes`() {
        var limits = Listeners.Limits()
        limits.waiting.changes = 5
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
