// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs `body` on a new thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws(HTTPServerError) {
    // The closure is passed to C as a retained object, which the thread releases.
    let box = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, box.toOpaque())
    guard status == 0 else {
        box.release()
        throw .outOfDescriptors(String(cString: strerror(status)))
    }
    pthread_detach(thread)
}

private final class ThreadBody {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
