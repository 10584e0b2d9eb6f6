// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A TCP proxy on loopback that can cut exchanges at a chosen point, drop connections, and stop forwarding.
package final class Forwarder: Sendable {
    package enum Cut: String, CaseIterable, Sendable {
        case beforeTheRequest, inTheRequest, beforeTheAnswer, inTheAnswer
    }

    /// A slow network that loses connections.
    package struct Trouble: Sendable {
        var delayMilliseconds: Int
        /// The share of pieces at which the connection is dropped in their place.
        var percentOfCuts: Int
        var seed: UInt64

        package init(delayMilliseconds: Int, percentOfCuts: Int, seed: UInt64) {
            (self.delayMilliseconds, self.percentOfCuts, self.seed) = (delayMilliseconds, percentOfCuts, seed)
        }

        /// Whether the next piece is lost.
        fileprivate mutating func loses() -> Bool {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % 100 < percentOfCuts
        }
    }

    /// Shared with the threads, which do not retain the forwarder.
    private final class Shared: Sendable {
        struct State {
            var cut: Cut?
            var cuts = 0
            var connections = 0
            var open: Set<Int32> = []
            /// Whether new connections are closed at once.
            var isDown = false
            var trouble: Trouble?
            /// The bytes to forward until the forwarder goes down; nil for any number.
            var bytesLeft: Int?
            /// Whether connections are accepted but nothing is forwarded.
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

    /// Sets the point at which exchanges are cut. Nil forwards everything.
    package func cut(_ cut: Cut?) {
        shared.state.withLock { $0.cut = cut }
    }

    /// Drops all connections and closes new ones at once.
    package func goDown() {
        breakAll { $0.isDown = true }
    }

    /// Goes down once it has forwarded this many more bytes, of both directions.
    package func goDown(after bytes: Int) {
        shared.state.withLock { $0.bytesLeft = bytes }
    }

    package var isDown: Bool { shared.state.withLock { $0.isDown } }

    /// Forwards with delays and losses, also if the forwarder was down.
    package func trouble(_ trouble: Trouble) {
        shared.state.withLock { ($0.isDown, $0.trouble) = (false, trouble) }
    }

    package func goSilent() {
        shared.state.withLock { $0.isSilent = true }
    }

    /// Forwards again. Connections from the silent period are dropped, as by a machine that notices a lost peer.
    package func mend() {
        breakAll { ($0.isDown, $0.isSilent, $0.cut, $0.bytesLeft, $0.trouble) = (false, false, nil, nil, nil) }
    }

    private func breakAll(_ change: (inout Shared.State) -> Void) {
        shared.state.withLock { state in
            change(&state)
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// The number of exchanges cut so far.
    package var cuts: Int { shared.state.withLock { $0.cuts } }

    /// The number of connections so far.
    package var connections: Int { shared.state.withLock { $0.connections } }

    // MARK: Connections

    private static func enter(_ connection: Int32, _ shared: Shared) -> Bool {
        let isWanted = shared.state.withLock { state in
            let isWanted = !state.isOver && !state.isDown
            if isWanted { state.open.insert(connection) }
            state.connections += 1
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

    /// Forwards available data in either direction. Returns false at the end.
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
        if isLost(shared) { return false }
        guard let cut else { return Loopback.send(bytes[..<count], other) && isUp(after: count, shared) }
        // The cut must not be within the head of a response, which crashes Foundation on Linux: swift-corelibs-foundation, issue 5285.
        if cut == within { _ = Loopback.send(bytes[..<(count - 1)], other) }
        return false
    }

    /// Delays a piece. Returns whether it is lost with its connection.
    private static func isLost(_ shared: Shared) -> Bool {
        let (delay, isLost) = shared.state.withLock { state -> (Int, Bool) in
            guard let isLost = state.trouble?.loses() else { return (0, false) }
            if isLost { state.cuts += 1 }
            return (state.trouble?.delayMilliseconds ?? 0, isLost)
        }
        if delay > 0 { usleep(UInt32(delay * 1_000)) }
        return isLost
    }

    /// Counts forwarded bytes. Returns false, and drops all connections, if those were the last ones.
    private static func isUp(after count: Int, _ shared: Shared) -> Bool {
        shared.state.withLock { state in
            guard let left = state.bytesLeft else { return true }
            state.bytesLeft = left - count
            if left > count { return true }
            (state.isDown, state.bytesLeft) = (true, nil)
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
            return false
        }
    }
}
