// SPDX-License-Identifier: Apache-2.0

import Delivery
import Platform
import Synchronization

/// The configuration in force; a reload replaces it while handlers hold this object.
final class LiveConfiguration: Sendable {
    private struct State {
        var configuration: Configuration
        var functionDestinations: DestinationPolicy

        init(_ configuration: Configuration) {
            self.configuration = configuration
            functionDestinations = configuration.functionSender.destinations
        }
    }

    private let state: Mutex<State>

    init(_ configuration: Configuration) {
        state = Mutex(State(configuration))
    }

    var now: Configuration { state.withLock { $0.configuration } }

    /// Copied alone, since each request needs it.
    var server: ServerOptions { state.withLock { $0.configuration.server } }

    /// Copied alone, since each request with an ID token needs it.
    var accountsURL: String? { state.withLock { $0.configuration.accounts.url } }

    /// The allowed destinations of requests to functions. They are looked up for each of them, so they are derived once a reload.
    var functionDestinations: DestinationPolicy { state.withLock { $0.functionDestinations } }

    func replace(_ new: Configuration) {
        state.withLock { $0 = State(new) }
    }
}
