import Foundation
import Glibc

@testable import Signalbox

/// A network between an app and its daemon that can be cut, go silent, and be mended.
final class Cable: Sendable {
    private enum Condition {
        case whole
        /// Connections break, and new ones are hung up on.
        case cut
        /// Connections stand and are taken, and nothing comes through them.
        case silent
    }

    private struct State {
        var condition = Condition.whole
        var open: Set<Int32> = []
        var isOver = false
    }

    private struct CannotListen: Error {}

    let port: UInt16
    private let listener: Int32
    private let state = Locked(State())

    init(to target: UInt16) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Cable.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw CannotListen() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [state] in
            while case let near = accept(listener, nil, nil), near >= 0 { Cable.join(near, target, state) }
            close(listener)
        }
    }

    deinit {
        state.withLock { $0.isOver = true }
        breakAll()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    func cut() {
        state.withLock { $0.condition = .cut }
        breakAll()
    }

    func silence() {
        state.withLock { $0.condition = .silent }
    }

    /// What was silent breaks, as it does when a machine learns at last that the other is gone.
    func mend() {
        state.withLock { $0.condition = .whole }
        breakAll()
    }

    private func breakAll() {
        state.withLock { state in
            for end in state.open { shutdown(end, Int32(SHUT_RDWR)) }
        }
    }

    // MARK: Connections

    private static func join(_ near: Int32, _ target: UInt16, _ state: Locked<State>) {
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(target)
        let isJoined = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
        let isWanted = state.withLock { state in
            guard isJoined, !state.isOver, state.condition != .cut else { return false }
            state.open.formUnion([near, far])
            return true
        }
        guard isWanted else {
            close(near)
            close(far)
            return
        }
        let ends = DispatchGroup()
        for (from, to) in [(near, far), (far, near)] {
            ends.enter()
            Thread.detachNewThread {
                pump(from, to, state)
                ends.leave()
            }
        }
        ends.notify(queue: .global()) {
            state.withLock { state in
                state.open.subtract([near, far])
                close(near)
                close(far)
            }
        }
    }

    private static func pump(_ from: Int32, _ to: Int32, _ state: Locked<State>) {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while case let count = read(from, &bytes, bytes.count), count > 0 {
            if state.withLock({ $0.condition == .silent }) { continue }
            guard send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
