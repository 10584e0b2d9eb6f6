// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A change in the daemon that waits for a confirmation.
package struct PendingAction: Sendable {
    /// The question that the user answers with `y`.
    package let confirmation: String
    package let method: String
    package let path: String
    /// The JSON body of the request; empty for requests without one.
    package let body: [UInt8]
    /// Returns the message to show, from the body of the response.
    package let outcome: @Sendable ([UInt8]) throws -> String

    /// Whether the pane closes with the confirmation, because its item is gone afterwards.
    package let closesPane: Bool

    /// `outcome` returns the message to show.
    init<Response: Decodable & Sendable>(
        confirmation: String, method: String = "POST", path: String, body: [UInt8] = [], outcome: @escaping @Sendable (Response) -> String
    ) {
        (self.confirmation, self.method, self.path, self.body, closesPane) = (confirmation, method, path, body, false)
        self.outcome = { outcome(try Response(response: $0)) }
    }

    /// An action whose response has no body.
    init(confirmation: String, method: String, path: String, closesPane: Bool = false, outcome: String) {
        (self.confirmation, self.method, self.path, self.closesPane, body) = (confirmation, method, path, closesPane, [])
        self.outcome = { _ in outcome }
    }

    package static let confirm = KeyBinding([.character("y")], "yes", "Confirms the action; any other key cancels it.")
    package static let bindings = [confirm, KeyBinding([.escape], "cancel", "Cancels the action.")]
}
