// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A POSIX thread that runs a closure. It is joined or detached once.
package struct SystemThread: Sendable {
    private let handle: pthread_t

    /// Starts `body` on a new thread.
    package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // The closure is passed to C as a retained object, which the thread releases.
        let box = unsafe Unmanaged.passRetained(ThreadBody(body))
        var handle = pthread_t()
        let status = unsafe pthread_create(
            &handle, nil,
            { argument in
                if let argument = unsafe argument { unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            unsafe box.release()
            throw SystemError(number: status)
        }
        self.handle = handle
    }

    /// Waits until the thread has ended.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread end by itself.
    package func detach() {
        pthread_detach(handle)
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
