// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import Synchronization

/// A thread that is waited for.
struct ShardThread: Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private let thread: pthread_t

    init(_ run: @escaping @Sendable () -> Void) throws {
        // The closure crosses into C as a retained object and is taken back, and so released, by the thread.
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                ShardThread.refuseBrokenPipes()
                // What goes out can wait for what comes in.
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

    /// Once.
    func join() {
        pthread_join(thread, nil)
    }

    /// libcurl 7.88 sends with MSG_NOSIGNAL, but not what it has linked in; and told to leave signals alone it does not ignore this one.
    private static func refuseBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
