// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import Synchronization

/// A thread that can be joined.
struct ShardThread: Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private let thread: pthread_t

    init(_ run: @escaping @Sendable () -> Void) throws {
        // The closure is passed to C as a retained object, which the thread releases.
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                ShardThread.refuseBrokenPipes()
                // Outgoing requests have a lower priority than incoming ones.
                OwnProcess.givePrecedenceToOtherThreads()
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw HTTPClientError.notStarted
        }
        self.thread = thread
    }

    /// Joins the thread; call it once.
    func join() {
        pthread_join(thread, nil)
    }

    /// Blocks SIGPIPE: libcurl 7.88 sends with MSG_NOSIGNAL, but its libraries do not, and with CURLOPT_NOSIGNAL it does not ignore the signal.
    private static func refuseBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
