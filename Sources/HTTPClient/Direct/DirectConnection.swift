// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
import Platform

/// A connection to an address, with at most one exchange at a time. It is confined to the thread of its loop.
final class DirectConnection: ExternalSocket {
    private enum Phase {
        case connecting
        case open
        case closed
    }

    let origin: DirectTarget.Origin
    private let descriptor: Int32
    private unowned let shard: DirectShard
    private var phase = Phase.connecting
    /// An error that connect(2) returned at once.
    private var connectError: Int32 = 0
    private var exchange: DirectExchange?
    private var reader = ResponseReader()
    private var unsent: ArraySlice<UInt8> = []
    private var watchesOutput = false
    /// Whether the request could not be sent as a whole. The response may have come all the same.
    private var hasFailedToSend = false
    /// Whether a response was received on it before.
    private var isKept = false
    private let connectsUntil: ContinuousClock.Instant
    private let longestIdle: Duration
    private var idleSince = ContinuousClock.now

    /// Begins to connect; nil if the system has no room.
    init?(_ origin: DirectTarget.Origin, _ shard: DirectShard, connectTimeout: Duration, longestIdle: Duration) {
        (self.origin, self.shard, self.longestIdle) = (origin, shard, longestIdle)
        connectsUntil = .now + connectTimeout
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(origin.address.isV4 ? AF_INET : AF_INET6, kind, 0)
        guard descriptor >= 0 else {
            phase = .closed
            return nil
        }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let error = origin.connect(descriptor)
        if error == 0 { phase = .open } else if error != EINPROGRESS { connectError = error }
        guard shard.loop.watch(descriptor, for: self) else { return nil }
        // A connection that is refused at once is reported as writable, too.
        if phase == .connecting { watchOutput(true) }
    }

    deinit {
        if phase != .closed { Glibc.close(descriptor) }
    }

    // MARK: Exchange

    /// Whether a kept connection is recent and open, and holds no unexpected bytes, which would be taken for the next response.
    var isFresh: Bool {
        var byte: UInt8 = 0
        return !isExpired && recv(descriptor, &byte, 1, Int32(MSG_PEEK)) < 0 && errno == EAGAIN
    }

    private var isExpired: Bool { .now - idleSince > longestIdle }

    func begin(_ exchange: DirectExchange) {
        self.exchange = exchange
        reader = ResponseReader()
        unsent = exchange.bytes[...]
        if phase == .open { send() }
    }

    private func send() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                unsent = unsent.dropFirst(count)
            } else if errno == EAGAIN {
                return watchOutput(true)
            } else if errno != EINTR {
                hasFailedToSend = true
                break
            }
        }
        watchOutput(false)
        // A target that responds before it has read the request may close the connection then.
        if hasFailedToSend { receive() }
    }

    private func watchOutput(_ isWanted: Bool) {
        guard watchesOutput != isWanted else { return }
        watchesOutput = isWanted
        shard.loop.watchOutput(isWanted, of: descriptor)
    }

    // MARK: Events

    func socketIsReady(toRead: Bool, toWrite: Bool) {
        if phase == .connecting, toWrite { connected() }
        if phase == .open, toWrite, !unsent.isEmpty, !hasFailedToSend { send() }
        if phase == .open, toRead { receive() }
    }

    private func connected() {
        var error = connectError
        var size = socklen_t(MemoryLayout<Int32>.size)
        if error == 0, getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0 { error = errno }
        guard error == 0 else { return fail(.couldNotConnect) }
        phase = .open
        send()
    }

    private func receive() {
        let count = shard.input.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 {
            take(shard.input[..<count])
        } else if count == 0 {
            ended()
        } else if hasFailedToSend || errno != EAGAIN && errno != EINTR {
            broke(.connectionReset)
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        // Nothing was asked for.
        guard let exchange else { return close() }
        do throws(CourierFailure) {
            guard try reader.read(bytes, { exchange.take($0, $1) }) else { return finish(exchange) }
        } catch {
            return fail(error)
        }
        if reader.isComplete { finish(exchange) }
    }

    /// Ends the exchange with a response. The connection is kept for the next one if nothing of this one is left.
    private func finish(_ exchange: DirectExchange) {
        self.exchange = nil
        if reader.isReusable, unsent.isEmpty {
            (isKept, idleSince) = (true, .now)
            shard.becameIdle(self)
        } else {
            close()
        }
        shard.end(exchange, status: reader.head?.status ?? 0, nil)
    }

    private func ended() {
        guard let exchange else { return close() }
        do throws(CourierFailure) {
            try reader.end()
            finish(exchange)
        } catch {
            broke(error)
        }
    }

    /// Fails the exchange. On a kept connection that ended before a response it begins again instead, if none of the request was written or it
    /// may be repeated: the target may have carried out what was written.
    private func broke(_ failure: CourierFailure) {
        guard let exchange, isKept, reader.isUntouched, exchange.isRepeatable || unsent.count == exchange.bytes.count else { return fail(failure) }
        self.exchange = nil
        close()
        shard.beginAnew(exchange)
    }

    private func fail(_ failure: CourierFailure) {
        let failed = exchange.take()
        close()
        if let failed { shard.end(failed, status: reader.head?.status ?? 0, failure) }
    }

    func cancel() { fail(.cancelled) }

    /// Closes an idle connection, or one whose exchange has ended.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        shard.loop.unwatch(descriptor)
        Glibc.close(descriptor)
        shard.closed(self)
    }

    // MARK: Time

    func timePassed() {
        let now = ContinuousClock.now
        if let exchange {
            if exchange.deadline <= now || phase == .connecting && connectsUntil <= now { fail(.timedOut) }
        } else if isExpired {
            close()
        }
    }

    func loopEnds() { fail(.cancelled) }
}

extension DirectTarget.Origin {
    /// Begins to connect a socket. Returns 0 or an error number.
    fileprivate func connect(_ descriptor: Int32) -> Int32 {
        if address.isV4 {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = port.bigEndian
            place.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.low).bigEndian
            return DirectTarget.Origin.connect(descriptor, &place)
        }
        var place = sockaddr_in6()
        place.sin6_family = sa_family_t(AF_INET6)
        place.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &place.sin6_addr) {
            $0.storeBytes(of: address.high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: address.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return DirectTarget.Origin.connect(descriptor, &place)
    }

    private static func connect<Place>(_ descriptor: Int32, _ place: inout Place) -> Int32 {
        let size = socklen_t(MemoryLayout<Place>.size)
        let result = withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        return result == 0 ? 0 : errno
    }
}
