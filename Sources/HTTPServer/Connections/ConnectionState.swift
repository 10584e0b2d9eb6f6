// SPDX-License-Identifier: Apache-2.0

/// What a connection is doing, and until when it may go on doing so.
///
/// Deadlines are absolute: they move when a phase begins or bytes at the minimum rate have earned more time, never because a byte
/// trickled in. No time is earned far in advance: much that came fast may not be held in silence later. Times are milliseconds of a
/// monotonic clock.
package struct ConnectionState {
    package enum Phase: Int, CaseIterable, Sendable {
        /// Between two requests.
        case idle
        case head
        case body
        /// A handler has the request.
        case waiting
        case writing
        /// A streamed answer has nothing to send just now.
        case streaming
        /// The last answer is out; what still comes in is thrown away.
        case lingering
    }

    /// What to do with a connection whose time is over.
    package enum Expiry: Equatable, Sendable {
        case close
        case tellSlowClient
    }

    package private(set) var phase = Phase.idle
    package private(set) var deadline: Int64
    private let limits: DeadlineLimits
    private var moved = 0

    package init(limits: DeadlineLimits, now: Int64) {
        self.limits = limits
        deadline = now + limits.idle
    }

    package mutating func becomeIdle(at now: Int64) {
        enter(.idle, deadline: now + limits.idle)
    }

    /// What comes soon is still served, and is the last.
    package mutating func lastCall(at now: Int64) {
        enter(.idle, deadline: now + limits.lastCall)
    }

    package mutating func headBegan(at now: Int64) {
        guard phase == .idle else { return }
        enter(.head, deadline: now + limits.header)
    }

    package mutating func bodyGrew(to received: Int, at now: Int64) {
        if phase != .body { enter(.body, deadline: now + limits.bodyGrace) }
        earn(by: received, atMost: now + limits.bodyGrace)
    }

    package mutating func requestCompleted(at now: Int64) {
        enter(.waiting, deadline: .max)
    }

    package mutating func writeBegan(at now: Int64) {
        enter(.writing, deadline: now + limits.write)
    }

    package mutating func wrote(_ count: Int, at now: Int64) {
        guard count > 0, phase == .writing else { return }
        earn(by: moved &+ count, atMost: now + limits.write)
    }

    package mutating func streamFellSilent(at now: Int64) {
        enter(.streaming, deadline: .max)
    }

    package mutating func lingers(at now: Int64) {
        enter(.lingering, deadline: now + limits.linger)
    }

    package func expiry(at now: Int64) -> Expiry? {
        guard now >= deadline else { return nil }
        return phase == .head || phase == .body ? .tellSlowClient : .close
    }

    private mutating func enter(_ phase: Phase, deadline: Int64) {
        self.phase = phase
        self.deadline = deadline
        moved = 0
    }

    /// Moves the deadline by what the bytes since the last time are worth: the difference of two sums, for single bytes would round to nothing.
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

    /// How often connections are looked at: often enough for the shortest deadline, seldom enough to cost nothing.
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
