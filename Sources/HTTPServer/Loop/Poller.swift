// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// A wrapper of epoll(7).
struct Poller: ~Copyable {
    struct Interest {
        fileprivate let flags: UInt32
        /// Level-triggered, for listeners and wake-ups: reported while ready.
        static let readable = Interest(flags: EPOLLIN.rawValue)
        /// Level-triggered, for external sockets that have something to send.
        static let readableOrWritable = Interest(flags: EPOLLIN.rawValue | EPOLLOUT.rawValue)
        /// Edge-triggered, for connections: reported once for each change.
        static let changes = Interest(flags: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue)
        static let nothing = Interest(flags: 0)
    }

    struct Event {
        let token: UInt64
        private let flags: UInt32

        fileprivate init(_ event: epoll_event) {
            token = event.data.u64
            flags = event.events
        }

        var isReadable: Bool { flags & EPOLLIN.rawValue != 0 }
        var isWritable: Bool { flags & EPOLLOUT.rawValue != 0 }
        /// The client has closed its sending side.
        var hasEnded: Bool { flags & EPOLLRDHUP.rawValue != 0 }
        var isBroken: Bool { flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 }
    }

    private let descriptor: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init() throws(HTTPServerError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .outOfDescriptors(systemReason()) }
    }

    deinit {
        close(descriptor)
    }

    func add(_ other: Int32, token: UInt64, _ interest: Interest) -> Bool {
        control(EPOLL_CTL_ADD, other, token, interest)
    }

    func change(_ other: Int32, token: UInt64, _ interest: Interest) {
        _ = control(EPOLL_CTL_MOD, other, token, interest)
    }

    func remove(_ other: Int32) {
        _ = control(EPOLL_CTL_DEL, other, 0, .nothing)
    }

    private func control(_ operation: Int32, _ other: Int32, _ token: UInt64, _ interest: Interest) -> Bool {
        var event = epoll_event()
        event.events = interest.flags
        event.data.u64 = token
        return epoll_ctl(descriptor, operation, other, &event) == 0
    }

    /// Waits up to `milliseconds` (-1: no limit) and returns the number of events.
    mutating func wait(milliseconds: Int32) -> Int {
        max(0, Int(epoll_wait(descriptor, &events, Int32(events.count), milliseconds)))
    }

    func event(_ index: Int) -> Event { Event(events[index]) }
}

func monotonicMilliseconds() -> Int64 { SystemClock.milliseconds(CLOCK_MONOTONIC) }
