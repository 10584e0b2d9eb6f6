// SPDX-License-Identifier: Apache-2.0

/// Calls a function if the client disconnects before the response.
final class LeavingClient: ConnectionObserver {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    func connectionClosed() { action() }
}
