// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Testing

@testable import DocumentStore
@testable import Listening

/// The order in which reads for listeners are made.
@Suite struct ListenReadQueueTests {
    private static let (ours, theirs) = (AppID(rawValue: 1), AppID(rawValue: 2))

    /// A read of a collection's whole result.
    private static func read(_ id: Int, _ collection: String, for client: ListenClient? = .server) -> ListenRead {
        let target = ListenTarget(DocumentQuery(collection: PathSegment(collection)))
        return ListenRead(id: id, target: target, what: .result(atMost: .max), client: client)
    }

    /// The IDs of the reads that are taken one after the other while there is room.
    private static func order(_ line: inout ListenReadLine, _ memory: ListenMemory) -> [[Int]] {
        var taken: [[Int]] = []
        while case .reads(let group) = line.take(from: memory) { taken.append(group.reads.map(\.id)) }
        return taken
    }

    private static func memory(held: Int = 0, of listener: DocumentListener? = nil) -> ListenMemory {
        let memory = ListenMemory(atMost: 800, patience: .seconds(86_400))
        if let listener { memory.set(loaded: held, of: listener) }
        return memory
    }

    @Test func `apps have turns, and addresses within an app`() {
        var line = ListenReadLine(isShort: false)
        for id in 1...4 { line.add(Self.read(id, "c\(id)", for: .anyone("address 1")), Self.ours) }
        line.add(Self.read(5, "c5", for: .anyone("address 2")), Self.ours)
        line.add(Self.read(6, "c6"), Self.ours)
        for id in 7...8 { line.add(Self.read(id, "c\(id)"), Self.theirs) }
        #expect(Self.order(&line, Self.memory()) == [[1], [7], [5], [8], [6], [2], [3], [4]])
    }

    @Test func `reads of one target are made together, whoever waits for them`() {
        var line = ListenReadLine(isShort: false)
        for id in 1...200 { line.add(Self.read(id, id % 2 == 0 ? "even" : "odd", for: .anyone(ExactName("address \(id)"))), Self.ours) }
        line.add(Self.read(201, "even"), Self.theirs)
        line.add(Self.read(202, "last"), Self.ours)
        let order = Self.order(&line, Self.memory())
        #expect(order.map(\.count) == [100, 1, 100, 1])
        #expect(order[0] == Array(stride(from: 1, to: 200, by: 2)) && order[1] == [201] && order[3] == [202])
    }

    @Test func `who has no room is passed over, and is asked again`() {
        let hub = DocumentListening(at: 0, epoch: [], Metrics().gauge("streams", "Streams."), DocumentBounds())
        let slow = DocumentListener(hub, Self.ours, ListenStreamID(1), for: .anyone("address 1"))
        let memory = Self.memory(held: 100, of: slow)
        var line = ListenReadLine(isShort: false)
        line.add(Self.read(1, "a", for: .anyone("address 1")), Self.ours)
        line.add(Self.read(2, "b", for: .anyone("address 2")), Self.ours)
        line.add(Self.read(3, "c"), Self.theirs)
        #expect(Self.order(&line, memory) == [[2], [3]])
        guard case .noRoom(let share, isShort: false)? = line.take(from: memory) else {
            Issue.record("a read waits for room")
            return
        }
        #expect(share == ListenShare(Self.ours, .anyone("address 1")))
        memory.release(slow)
        #expect(Self.order(&line, memory) == [[1]])
        #expect(line.take(from: memory) == nil)
        withExtendedLifetime(hub) {}
    }

    @Test func `apps whose reads were made with others do not hide the next app`() {
        let memory = Self.memory()
        let apps = (1...70).map { AppID(rawValue: $0) }
        var line = ListenReadLine(isShort: false)
        for app in apps { for address in 1...2 { line.add(Self.read(address, "c", for: .anyone(ExactName("address \(address)"))), app) } }
        for _ in apps { _ = line.take(from: memory) }
        line.add(Self.read(3, "c"), AppID(rawValue: 71))
        #expect(Self.order(&line, memory) == [[3]])
    }

    @Test func `rows that all subscribers of a target share need no room`() {
        let hub = DocumentListening(at: 0, epoch: [], Metrics().gauge("streams", "Streams."), DocumentBounds())
        let slow = DocumentListener(hub, Self.ours, ListenStreamID(1), for: .server)
        let memory = Self.memory(held: 800, of: slow)
        var line = ListenReadLine(isShort: false)
        line.add(Self.read(1, "a"), Self.ours)
        line.add(Self.read(2, "b", for: nil), Self.ours)
        #expect(Self.order(&line, memory) == [[2]])
        memory.release(slow)
        #expect(Self.order(&line, memory) == [[1]])
        withExtendedLifetime(hub) {}
    }

    @Test func `room is made for each who lacks it, for long reads also while short ones lack it`() async {
        let hub = DocumentListening(at: 0, epoch: [], Metrics().gauge("streams", "Streams."), DocumentBounds())
        let addresses: [ExactName] = ["address 1", "address 2"]
        let slow = addresses.enumerated().map { DocumentListener(hub, Self.ours, ListenStreamID($0.offset), for: .anyone($0.element)) }
        let memory = Self.memory()
        for listener in slow { memory.set(loaded: 120, of: listener) }
        let queue = ListenReadQueue()
        let target = ListenTarget(DocumentQuery(collection: PathSegment("c")))
        queue.add(ListenRead(id: 0, target: target, what: .result(atMost: 1), client: .anyone("address 1")), Self.ours)
        for (id, address) in addresses.enumerated() { queue.add(Self.read(id + 1, "c\(id)", for: .anyone(address)), Self.ours) }
        var lacking = Set<ListenShare>()
        for _ in 0..<200 {
            if case .noRoom(let share, isShort: false) = await queue.next(for: .ofAny, memory) { lacking.insert(share) }
        }
        #expect(lacking == Set(addresses.map { ListenShare(Self.ours, .anyone($0)) }))
        withExtendedLifetime((hub, slow)) {}
    }

    @Test func `long reads of users are for readers of their own`() async {
        let (queue, memory) = (ListenReadQueue(), Self.memory())
        queue.add(Self.read(1, "a", for: .anyone("address 1")), Self.ours, isLongOfUsers: true)
        queue.add(Self.read(2, "b", for: .anyone("address 1")), Self.ours)
        let (any, ofUsers) = (await queue.next(for: .ofAny, memory), await queue.next(for: .ofLongOfUsers, memory))
        guard case .reads(let other) = any, case .reads(let own) = ofUsers else {
            Issue.record("reads wait, and there is room")
            return
        }
        #expect(other.reads.map(\.id) == [2] && own.reads.map(\.id) == [1])
    }

    @Test func `random reads are each taken once`() {
        var random = SystemRandomNumberGenerator()
        let memory = Self.memory()
        for _ in 0..<50 {
            var line = ListenReadLine(isShort: false)
            var (added, taken) = (0, [Int]())
            for _ in 0..<300 {
                if Int.random(in: 0..<3, using: &random) > 0 {
                    added += 1
                    let client = ListenClient.anyone(ExactName("address \(Int.random(in: 0..<90, using: &random))"))
                    let read = Self.read(added, "c\(Int.random(in: 0..<5, using: &random))", for: client)
                    line.add(read, AppID(rawValue: Int64.random(in: 1...3, using: &random)))
                } else if case .reads(let group) = line.take(from: memory) {
                    taken += group.reads.map(\.id)
                }
            }
            taken += Self.order(&line, memory).flatMap(\.self)
            #expect(taken.sorted() == Array(1...added))
        }
    }
}
