// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A network between a client and a server on loopback, which can be cut at a chosen place of an exchange, break, and go silent.
package final class Forwarder: Sendable {
    package enum Cut: String, CaseIterable, Sendable {
        case beforeTheRequest, inTheRequest, beforeTheAnswer, inTheAnswer
    }

    /// Held by the threads too, which so outlive the forwarder without keeping it.
    private final class Shared: Sendable {
        struct State {
            var cut: Cut?
            var cuts = 0
            var open: Set<Int32> = []
            /// New connections are hung up on.
            var isDown = false
            /// Connections stand and are taken, and nothing comes through them.
            var isSilent = false
            var isOver = false
        }

        let state = Mutex(State())
        let target: UInt16

        init(_ target: UInt16) {
            self.target = target
        }
    }

    package let port: UInt16
    private let listener: Int32
    private let shared: Shared

    package init(to target: UInt16) throws {
        let shared = Shared(target)
        let (listener, port) = try Loopback.listen()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                guard Forwarder.enter(connection, shared) else { continue }
                Thread.detachNewThread { Forwarder.carry(connection, shared) }
            }
            close(listener)
        }
        self.shared = shared
        (self.listener, self.port) = (listener, port)
    }

    deinit {
        breakAll { $0.isOver = true }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// From now on every exchange ends there; nil lets all through.
    package func cut(_ cut: Cut?) {
        shared.state.withLock { $0.cut = cut }
    }

    /// Connections break, and new ones are hung up on.
    package func goDown() {
        breakAll { $0.isDown = true }
    }

    package func goSilent() {
        shared.state.withLock { $0.isSilent = true }
    }

    /// What stood breaks, as it does when a machine learns at last that the other is gone; what comes now goes through.
    package func mend() {
        breakAll { ($0.isDown, $0.isSilent, $0.cut) = (false, false, nil) }
    }

    private func breakAll(_ change: (inout Shared.State) -> Void) {
        shared.state.withLock { state in
            change(&state)
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// How many exchanges were cut so far.
    package var cuts: Int { shared.state.withLock { $0.cuts } }

    // MARK: Connections

    private static func enter(_ connection: Int32, _ shared: Shared) -> Bool {
        let isWanted = shared.state.withLock { state in
            let isWanted = !state.isOver && !state.isDown
            if isWanted { state.open.insert(connection) }
            return isWanted
        }
        if !isWanted { close(connection) }
        return isWanted
    }

    private static func carry(_ client: Int32, _ shared: Shared) {
        let server = Loopback.connect(shared.target)
        if server >= 0 {
            while pass(from: client, to: server, shared) {}
            close(server)
        }
        shared.state.withLock { state in
            state.open.remove(client)
            close(client)
        }
    }

    /// Carries what has come on either side; false where that was the last.
    private static func pass(from client: Int32, to server: Int32, _ shared: Shared) -> Bool {
        var ends = [pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: server, events: Int16(POLLIN), revents: 0)]
        guard poll(&ends, 2, -1) > 0 else { return errno == EINTR }
        if ends[0].revents != 0 { return hand(from: client, to: server, cuts: .beforeTheRequest, .inTheRequest, shared) }
        return hand(from: server, to: client, cuts: .beforeTheAnswer, .inTheAnswer, shared)
    }

    private static func hand(from one: Int32, to other: Int32, cuts before: Cut, _ within: Cut, _ shared: Shared) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(one, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        let (cut, isSilent) = shared.state.withLock { state -> (Cut?, Bool) in
            guard let cut = state.cut, cut == before || cut == within else { return (nil, state.isSilent) }
            state.cuts += 1
            return (cut, false)
        }
        if isSilent { return true }
        guard let cut else { return Loopback.send(bytes[..<count], other) }
        // Not within the head of an answer, which ends a process of Foundation's on Linux: swift-corelibs-foundation, issue 5285.
        if cut == within { _ = Loopback.send(bytes[..<(count - 1)], other) }
        return false
    }
}
