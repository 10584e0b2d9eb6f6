// SPDX-License-Identifier: Apache-2.0

/// The error of a wait whose client has disconnected.
package struct ClientLeft: Error {
    package init() {}
}

/// Asks that an action be called if a client disconnects. A later one takes its place.
package typealias ClientWatch = @Sendable (_ action: @escaping @Sendable () -> Void) -> Void
