// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
import SignalboxDocumentModel
import Synchronization
import Testing

@testable import DocumentStore

@Suite struct ListenMemoryTests {
    private final class Shared<Value: Sendable>: Sendable {
        private let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }

        var current: Value { value.withLock { $0 } }

        func set(_ new: Value) { value.withLock { $0 = new } }
    }

    private static func listener(
        _ number: Int, _ cut: Shared<[Int]>, app: AppID = app, for client: ListenClient = .server
    ) -> (DocumentListening, DocumentListener) {
        let hub = DocumentListening(at: 0, epoch: [], Metrics().gauge("streams", "Streams."), DocumentBounds())
        let listener = DocumentListener(hub, app, ListenStreamID(number), for: client)
        listener.whenCut { cut.set(cut.current + [number]) }
        return (hub, listener)
    }

    private static let app = AppID(rawValue: 1)
    private static let server = ListenShare(app, .server)
    private static let user = ListenShare(app, .user("ann", at: "address 1"))

    private static func anyone(_ address: String) -> ListenShare { ListenShare(app, .anyone(ExactName(address))) }

    @Test func `the slowest streams are cut when memory is short, and others stay`() {
        let (memory, cut) = (ListenMemory(atMost: 200, patience: .zero), Shared<[Int]>([]))
        let all = (1...3).map { Self.listener($0, cut) }
        for (_, listener) in all { memory.set(loaded: 45, of: listener) }
        #expect(memory.total == 135 && !memory.hasRoom(for: Self.server, isShort: false))
        memory.makeRoom(for: Self.server, isShort: false)
        #expect(memory.total == 90 && cut.current == [1] && memory.hasRoom(for: Self.server, isShort: false))
        for (_, listener) in all { memory.release(listener) }
        #expect(memory.total == 0)
    }

    @Test func `there is no room until clients have received enough`() {
        let (memory, cut) = (ListenMemory(atMost: 200, patience: .seconds(86_400)), Shared<[Int]>([]))
        let (hub, listener) = Self.listener(1, cut)
        memory.set(loaded: 60, of: listener)
        memory.take(listener)
        memory.set(loaded: 50, of: listener)
        memory.makeRoom(for: Self.server, isShort: false)
        #expect(!memory.hasRoom(for: Self.server, isShort: false) && memory.total == 110)
        memory.set(unsent: 0, of: listener)
        #expect(memory.hasRoom(for: Self.server, isShort: false) && memory.total == 50 && cut.current.isEmpty)
        withExtendedLifetime(hub) {}
    }

    @Test func `a short read has room when none is left for others`() {
        let (memory, cut) = (ListenMemory(atMost: 160, patience: .seconds(86_400)), Shared<[Int]>([]))
        let (hub, listener) = Self.listener(1, cut)
        memory.set(loaded: 85, of: listener)
        #expect(memory.hasRoom(for: Self.server, isShort: true) && !memory.hasRoom(for: Self.server, isShort: false))
        withExtendedLifetime(hub) {}
    }

    @Test func `an app leaves room for other apps, clients without a token for users, and these for servers`() {
        let (memory, cut) = (ListenMemory(atMost: 800, patience: .zero), Shared<[Int]>([]))
        let (hub, listener) = Self.listener(1, cut)
        let other = ListenShare(AppID(rawValue: 2), .anyone("address 1"))
        func roomy() -> [Bool] { [Self.anyone("address 2"), Self.user, Self.server, other].map { memory.hasRoom(for: $0, isShort: false) } }
        for (held, expected) in [
            (199, [true, true, true, true]), (200, [false, true, true, true]), (300, [false, false, true, true]), (400, [false, false, false, true]),
            (800, [false, false, false, false]),
        ] {
            memory.set(loaded: held, of: listener)
            #expect(roomy() == expected, "\(held) held")
        }
        // Streams of the app are slow, but nothing is cut for another app while that has room.
        memory.set(loaded: 400, of: listener)
        memory.makeRoom(for: other, isShort: false)
        #expect(cut.current.isEmpty)
        memory.makeRoom(for: Self.server, isShort: false)
        #expect(cut.current == [1] && memory.total == 0)
        withExtendedLifetime(hub) {}
    }

    @Test func `an address leaves room for others, and only its own streams are cut for it`() {
        let (memory, cut) = (ListenMemory(atMost: 800, patience: .zero), Shared<[Int]>([]))
        let one = Self.listener(1, cut, for: .anyone("address 1"))
        let two = Self.listener(2, cut, for: .anyone("address 2"))
        memory.set(loaded: 50, of: two.1)
        memory.set(loaded: 100, of: one.1)
        #expect(!memory.hasRoom(for: Self.anyone("address 1"), isShort: false) && memory.hasRoom(for: Self.anyone("address 2"), isShort: false))
        memory.makeRoom(for: Self.anyone("address 1"), isShort: false)
        #expect(cut.current == [1] && memory.total == 50)
        withExtendedLifetime(one.0) {}
        withExtendedLifetime(two.0) {}
    }

    @Test func `no stream of another address is cut while one has no room in its own part`() {
        let (memory, cut) = (ListenMemory(atMost: 800, patience: .zero), Shared<[Int]>([]))
        let all = [Self.listener(1, cut), Self.listener(2, cut, for: .anyone("address 1"))]
        for ((_, listener), held) in zip(all, [150, 120]) { memory.set(loaded: held, of: listener) }
        memory.makeRoom(for: Self.anyone("address 1"), isShort: false)
        #expect(cut.current == [2] && memory.hasRoom(for: Self.anyone("address 1"), isShort: false))
        withExtendedLifetime(all) {}
    }

    @Test func `streams of other apps are not cut while an app has no room in its own part`() {
        let (memory, cut) = (ListenMemory(atMost: 800, patience: .zero), Shared<[Int]>([]))
        let all = [Self.listener(1, cut), Self.listener(2, cut, app: AppID(rawValue: 2)), Self.listener(3, cut)]
        for ((_, listener), held) in zip(all, [50, 340, 420]) { memory.set(loaded: held, of: listener) }
        memory.makeRoom(for: Self.server, isShort: false)
        #expect(cut.current == [1, 3] && memory.total == 340)
        withExtendedLifetime(all) {}
    }

    @Test func `an event counts instead of the result that it was made of`() {
        let (memory, cut) = (ListenMemory(atMost: 100, patience: .seconds(86_400)), Shared<[Int]>([]))
        let (hub, listener) = Self.listener(1, cut)
        memory.set(unsent: 0, of: listener)
        #expect(memory.total == 0)
        memory.set(loaded: 60, of: listener)
        memory.take(listener)
        memory.set(unsent: 80, of: listener)
        #expect(memory.total == 80)
        memory.set(loaded: 7, of: listener)
        memory.set(unsent: 0, of: listener)
        #expect(memory.total == 7)
        memory.release(listener)
        #expect(memory.total == 0)
        withExtendedLifetime(hub) {}
    }
}
