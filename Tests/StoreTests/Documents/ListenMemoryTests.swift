// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
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

    private static func listener(_ number: Int, _ cut: Shared<[Int]>) -> (DocumentListening, DocumentListener) {
        let hub = DocumentListening(at: 0, epoch: [], Metrics().gauge("streams", "Streams."), DocumentBounds())
        let listener = DocumentListener(hub, AppID(rawValue: 1), ListenStreamID(number))
        listener.whenCut { cut.set(cut.current + [number]) }
        return (hub, listener)
    }

    @Test func `the slowest stream is cut when memory is short, and others stay`() async {
        let (memory, cut) = (ListenMemory(atMost: 100, patience: .zero), Shared<[Int]>([]))
        let all = (1...3).map { Self.listener($0, cut) }
        for (_, listener) in all { memory.set(loaded: 45, of: listener) }
        #expect(memory.total == 135)
        await memory.room()
        #expect(memory.total == 90 && cut.current == [1])
        for (_, listener) in all { memory.release(listener) }
        #expect(memory.total == 0)
    }

    @Test func `a result waits until clients have received enough`() async {
        let (memory, cut) = (ListenMemory(atMost: 100, patience: .seconds(86_400)), Shared<[Int]>([]))
        let (hub, listener) = Self.listener(1, cut)
        memory.set(loaded: 60, of: listener)
        memory.take(listener)
        memory.set(loaded: 50, of: listener)
        let isRoom = Shared(false)
        let waiting = Task {
            await memory.room()
            isRoom.set(true)
        }
        for _ in 0..<20 { await Task.yield() }
        #expect(!isRoom.current && memory.total == 110)
        memory.set(unsent: 0, of: listener)
        await waiting.value
        #expect(memory.total == 50 && cut.current.isEmpty)
        withExtendedLifetime(hub) {}
    }

    @Test func `a short read has room when none is left for others`() async {
        let (memory, cut) = (ListenMemory(atMost: 80, patience: .seconds(86_400)), Shared<[Int]>([]))
        let (hub, listener) = Self.listener(1, cut)
        memory.set(loaded: 85, of: listener)
        await memory.room(isShort: true)
        #expect(memory.total == 85 && cut.current.isEmpty)
        withExtendedLifetime(hub) {}
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
