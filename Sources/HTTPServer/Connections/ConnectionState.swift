// SPDX-License-Identifier: Apache-2.0

/// The phase of a connection and its deadline.
///
/// Deadlines are absolute. They move when a phase begins, and by the time that transferred bytes are worth at the minimum rate, at most
/// one grace period ahead. Times are milliseconds of a monotonic clock.
///
/// Example of a body with 1,024 bytes a second and 10 s grace: after 4 s of silence 6 s are left. Then 2,048 bytes raise that to 8 s,
/// 1 MiB raises it to 10 s and no further, and a single byte by 1 ms, so trickling does not help.
package struct ConnectionState {
    package enum Phase: Int, CaseIterable, Sendable {
        /// Between two requests.
        case idle
        case head
        case body
        /// A handler is processing the request.
        case waiting
        case writing
        /// A streamed response has nothing to send.
        case streaming
        /// The last response is sent; further bytes are discarded.
        case lingering
    }

    /// The action for a connection whose deadline has passed.
    package enum Expiry: Equatable, Sendable {
        case close
        case respondSlowClient
    }

    private(set) var phase = Phase.idle
    package private(set) var deadline: Int64
    private let limits: DeadlineLimits
    private var moved = 0

    package init(limits: DeadlineLimits, now: Int64) {
        self.limits = limits
        deadline = now + limits.idle
    }

    mutating func becomeIdle(at now: Int64) {
        enter(.idle, deadline: now + limits.idle)
    }

    /// Allows one more request within a short time before the connection closes.
    package mutating func lastCall(at now: Int64) {
        enter(.idle, deadline: now + limits.lastCall)
    }

    package mutating func headBegan(at now: Int64) {
        guard phase == .idle else { return }
        enter(.head, deadline: now + limits.header)
    }

    package mutating func bodyGrew(to received: Int, at now: Int64) {
        precondition(phase != .body || received >= moved, "the received bytes of a body must not decrease")
        if phase != .body { enter(.body, deadline: now + limits.bodyGrace) }
        earn(by: received, atMost: now + limits.bodyGrace)
    }

    package mutating func requestCompleted(at now: Int64) {
        enter(.waiting, deadline: .max)
    }

    package mutating func writeBegan(at now: Int64) {
        enter(.writing, deadline: now + limits.write)
    }

    /// Extends the deadline after a send. A failed send has a negative count and extends nothing.
    package mutating func wrote(_ count: Int, at now: Int64) {
        guard count > 0, phase == .writing else { return }
        earn(by: moved &+ count, atMost: now + limits.write)
    }

    package mutating func streamBecameIdle(at now: Int64) {
        enter(.streaming, deadline: .max)
    }

    package mutating func lingers(at now: Int64) {
        enter(.lingering, deadline: now + limits.linger)
    }

    package func expiry(at now: Int64) -> Expiry? {
        guard now >= deadline else { return nil }
        return phase == .head || phase == .body ? .respondSlowClient : .close
    }

    private mutating func enter(_ phase: Phase, deadline: Int64) {
        self.phase = phase
        self.deadline = deadline
        moved = 0
    }

    /// Moves the deadline by the time that transferred bytes are worth: the difference of two totals, because the worth of single bytes
    /// would round to zero.
    private mutating func earn(by moved: Int, atMost latest: Int64) {
        deadline = min(latest, deadline + limits.earned(by: moved) - limits.earned(by: self.moved))
        self.moved = moved
    }
}

/// The configured deadlines in milliseconds.
package struct DeadlineLimits: Sendable {
    let header, bodyGrace, idle, write, linger, lastCall: Int64
    private let bytesPerSecond: Int64

    package init(_ deadlines: HTTPServerConfiguration.Deadlines) {
        header = deadlines.header.milliseconds
        bodyGrace = deadlines.bodyGrace.milliseconds
        idle = deadlines.idle.milliseconds
        write = deadlines.write.milliseconds
        linger = deadlines.linger.milliseconds
        lastCall = deadlines.lastCall.milliseconds
        bytesPerSecond = Int64(max(1, deadlines.minimumBytesPerSecond))
    }

    func earned(by bytes: Int) -> Int64 {
        Int64(min(bytes, 1 << 50)) * 1_000 / bytesPerSecond
    }

    /// The interval between deadline checks: a fraction of the shortest deadline, within bounds.
    var sweepInterval: Int64 {
        max(5, min(250, [header, bodyGrace, idle, write, linger, lastCall].reduce(250, min) / 4))
    }
}

extension Duration {
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(0, seconds), 1 << 40) * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
