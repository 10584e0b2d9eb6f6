// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The end of a connection that is to stay open.
package enum ConnectionEnd: Sendable {
    /// Another connection would end in the same way.
    case final
    /// Another attempt follows, not before `retryAfter` seconds. A connection that was useful begins the pauses anew with the shortest one.
    case again(retryAfter: TimeInterval?, wasUseful: Bool = false)
}

/// Keeps a connection open: after each end it is opened again, with pauses that grow until a connection has lasted.
package struct ReconnectingLoop: Sendable {
    /// The connection time in seconds after which pauses begin anew with the shortest one.
    static let stableAfterSeconds: TimeInterval = 10

    private let backoff: Backoff
    private let now: @Sendable () -> Date
    private let pause = Pause()

    package init(_ backoff: Backoff, now: @escaping @Sendable () -> Date) {
        (self.backoff, self.now) = (backoff, now)
    }

    /// Ends the current pause, except before `Retry-After`.
    package func retryNow() { pause.cut() }

    /// Returns when the task is cancelled or a connection's end is final.
    ///
    /// - Parameters:
    ///   - isolation: The actor of the closure.
    ///   - connect: Opens a connection and returns when it has ended.
    package func run(isolation: isolated (any Actor)? = #isolation, _ connect: () async -> ConnectionEnd) async {
        var backoff = backoff
        while !Task.isCancelled {
            let start = now()
            guard case .again(let retryAfter, let wasUseful) = await connect() else { return }
            if wasUseful || now().timeIntervalSince(start) > ReconnectingLoop.stableAfterSeconds { backoff.succeeded() }
            // Back off after a clean end too: clients disconnected together must not reconnect together.
            backoff.failed(at: now(), retryAfter: retryAfter)
            await backoff.wait(pause, now: now)
        }
    }
}

extension Backoff {
    /// Waits until the next attempt. A pause that is cut short ends at once, or after `Retry-After`.
    package mutating func wait(_ pause: Pause, now: @Sendable () -> Date) async {
        while !Task.isCancelled {
            let seconds = rest(at: now())
            if seconds == 0 { return }
            await pause.wait(seconds)
            retryNow()
        }
    }
}
