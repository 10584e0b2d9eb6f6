// SPDX-License-Identifier: Apache-2.0

import Platform

/// Runs `body` on a new thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws(HTTPServerError) {
    do throws(SystemError) {
        try SystemThread(body).detach()
    } catch {
        throw .outOfDescriptors(error.reason)
    }
}
