// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Testing

struct FairQueueTests {
    private static func share(_ account: Int64, _ client: Int = 1) -> WorkShare {
        WorkShare(account: account, client: ClientAddress(text: "192.0.2.\(client)") ?? .unknown)
    }

    /// Serves a number of elements, each of which takes the time in its name.
    private static func served(_ queue: inout FairQueue<(name: String, time: UInt64)>, _ count: Int) -> [String] {
        (0..<count).compactMap { _ in
            guard let (share, element) = queue.popFirst() else { return nil }
            queue.charge(element.time, to: share)
            return element.name
        }
    }

    @Test func `elements of one account leave in order`() {
        var queue = FairQueue<(name: String, time: UInt64)>()
        for name in ["a", "b", "c"] { queue.append((name, 10), for: FairQueueTests.share(1)) }
        #expect(queue.count == 3 && queue.waiting(of: FairQueueTests.share(1)) == 3)
        #expect(FairQueueTests.served(&queue, 4) == ["a", "b", "c"] && queue.count == 0)
    }

    @Test func `accounts take turns by the time they use, not by their number of requests`() {
        var queue = FairQueue<(name: String, time: UInt64)>()
        for _ in 0..<6 { queue.append(("noisy", 30), for: FairQueueTests.share(1)) }
        for _ in 0..<6 { queue.append(("quiet", 10), for: FairQueueTests.share(2)) }
        #expect(FairQueueTests.served(&queue, 8) == ["noisy", "quiet", "quiet", "quiet", "noisy", "quiet", "quiet", "quiet"])
    }

    @Test func `a request of an idle account is next although another has a hundred queued`() {
        var queue = FairQueue<(name: String, time: UInt64)>()
        for _ in 0..<100 { queue.append(("noisy", 10), for: FairQueueTests.share(1)) }
        _ = FairQueueTests.served(&queue, 50)
        queue.append(("quiet", 10), for: FairQueueTests.share(2))
        #expect(FairQueueTests.served(&queue, 2).contains("quiet"))
    }

    @Test func `an idle account does not save up time`() {
        var queue = FairQueue<(name: String, time: UInt64)>()
        queue.append(("early", 10), for: FairQueueTests.share(2))
        for _ in 0..<40 { queue.append(("steady", 10), for: FairQueueTests.share(1)) }
        _ = FairQueueTests.served(&queue, 30)
        for _ in 0..<10 { queue.append(("back", 10), for: FairQueueTests.share(2)) }
        let next = FairQueueTests.served(&queue, 10)
        #expect(next.filter { $0 == "steady" }.count >= 4, "\(next)")
    }

    @Test func `an account's clients take turns within the account's share`() {
        var queue = FairQueue<(name: String, time: UInt64)>()
        for client in 1...4 {
            for _ in 0..<4 { queue.append(("one \(client)", 10), for: FairQueueTests.share(1, client)) }
        }
        for _ in 0..<4 { queue.append(("two", 10), for: FairQueueTests.share(2)) }
        let first = FairQueueTests.served(&queue, 8)
        #expect(first.filter { $0 == "two" }.count == 4)
        #expect(Set(first).count == 5)
    }

    @Test func `more clients may wait than the queue remembers`() {
        var queue = FairQueue<(name: String, time: UInt64)>()
        for client in 0..<1_100 {
            let address = ClientAddress(text: "198.51.\(client / 250).\(client % 250)") ?? .unknown
            queue.append(("\(client)", 1), for: WorkShare(account: 1, client: address))
        }
        #expect(FairQueueTests.served(&queue, 1_100) == (0..<1_100).map(String.init))
    }

    @Test func `removed elements are released`() {
        final class Held {}
        var queue = FairQueue<Held>()
        weak var first: Held?
        do {
            let held = Held()
            first = held
            queue.append(held, for: FairQueueTests.share(1))
        }
        for _ in 0..<3 { queue.append(Held(), for: FairQueueTests.share(1)) }
        #expect(first != nil)
        _ = queue.popFirst()
        #expect(first == nil && queue.count == 3)
    }

    @Test func `the memory of idle accounts is bounded, and queued elements are served`() {
        var queue = FairQueue<(name: String, time: UInt64)>()
        queue.append(("waits", 1), for: FairQueueTests.share(9, 200))
        queue.charge(1_000_000, to: FairQueueTests.share(9, 200))
        for account in 10..<5_000 {
            queue.append(("passes", 1), for: FairQueueTests.share(Int64(account)))
            #expect(FairQueueTests.served(&queue, 1) == ["passes"])
        }
        #expect(FairQueueTests.served(&queue, 1) == ["waits"])
    }
}
