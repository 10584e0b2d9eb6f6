// SPDX-License-Identifier: Apache-2.0

import JSON
import Terminal

/// A change in the daemon that waits for a confirmation.
struct PendingAction: Sendable {
    /// The question that the user answers with `y`.
    let confirmation: String
    var method = "POST"
    let path: String
    /// The JSON body of the request; empty for requests without one.
    var body: [UInt8] = []
    /// Returns the message to show, from the response.
    let outcome: @Sendable (JSONValue) -> String

    static let confirm = KeyBinding([.character("y")], "yes", "Confirms the action; any other key cancels it.")
    static let bindings = [confirm, KeyBinding([.escape], "cancel", "Cancels the action.")]
}
