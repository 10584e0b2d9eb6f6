// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

extension EventLoop {
    /// Accepts waiting connections, up to a limit for each turn.
    func accept(from listener: Listener) {
        for _ in 0..<64 {
            guard context.ledger.hasDescriptorsLeft else { return pauseAccepting() }
            var peer = sockaddr_storage()
            let descriptor = clinux_accept(listener.descriptor, &peer)
            if descriptor >= 0 {
                welcome(descriptor, ClientAddress(peer), at: listener.role)
            } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                return pauseAccepting()
            } else if errno == EAGAIN {
                return
            }
        }
    }

    private func welcome(_ descriptor: Int32, _ address: ClientAddress, at role: Listener.Role) {
        context.counters.accepted.wrappingAdd(1, ordering: .relaxed)
        let (peer, isTrusted) = identity(address, at: role)
        guard admit(peer, isTrusted: isTrusted) else {
            context.counters.rejected.wrappingAdd(1, ordering: .relaxed)
            Glibc.close(descriptor)
            return
        }
        if role == .tcp { enable(TCP_NODELAY, of: Int32(IPPROTO_TCP), on: descriptor) }
        let connection = HTTPConnection(
            descriptor: descriptor, generation: newGeneration(), peer: peer, isTrusted: isTrusted,
            state: ConnectionState(limits: context.deadlines, now: now), reader: RequestReader(limits: context.caps.head))
        insert(connection)
        if !poller.add(descriptor, token: connection.token, .changes) { close(connection) }
    }

    /// Returns the peer of a connection, and whether it is a trusted proxy.
    private func identity(_ address: ClientAddress, at role: Listener.Role) -> (peer: ClientAddress, isTrusted: Bool) {
        switch role {
        case .tcp: (address, context.proxies.contains(address))
        case .proxy: (.unknown, true)
        case .control: (.controlSocket, false)
        }
    }

    /// The control socket is exempt from connection limits, so that the operator can always connect.
    private func admit(_ peer: ClientAddress, isTrusted: Bool) -> Bool {
        let fits = context.ledger.connectionOpened()
        if peer.isControlSocket || (fits && (isTrusted || context.ledger.enter(peer))) { return true }
        context.ledger.connectionClosed()
        return false
    }

    private func pauseAccepting() {
        isAccepting = false
        setListeners(.nothing)
    }

    func resumeAccepting() {
        guard !isAccepting, context.ledger.hasDescriptorsLeft else { return }
        isAccepting = true
        setListeners(.readable)
    }

    func setListeners(_ interest: Poller.Interest) {
        for listener in listeners {
            poller.change(listener.descriptor, token: EventLoop.listenerBit | UInt64(listener.descriptor), interest)
        }
    }
}
