// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The descriptors that the thread of the workers waits for, and the time until which it does.
struct WorkerWait: Sendable {
    private var entries = [pollfd(fd: -1, events: Int16(POLLIN), revents: 0)]
    /// The numbers of the entries' instances; 0 for the inbox.
    private var owners = [0]
    private let milliseconds: Int32
    /// The calls that ended before the wait.
    var ended: [EndedCall] = []

    init(until time: ContinuousClock.Instant?, at now: ContinuousClock.Instant) {
        guard let time else {
            milliseconds = -1
            return
        }
        let left = max(.zero, time - now)
        milliseconds = Int32(clamping: left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
    }

    mutating func add(_ interest: WorkerInterest, of instance: Int) {
        entries.append(pollfd(fd: interest.descriptor, events: interest.events, revents: 0))
        owners.append(instance)
    }

    /// Waits. Returns whether the descriptor of the inbox is ready.
    mutating func run(_ inbox: Int32) -> Bool {
        entries[0].fd = inbox
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        return entries[0].revents != 0
    }

    /// The descriptors of instances that are ready.
    var ready: [(owner: Int, descriptor: Int32)] {
        zip(owners, entries).dropFirst().compactMap { $1.revents == 0 ? nil : ($0, $1.fd) }
    }
}
