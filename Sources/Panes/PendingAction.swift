// SPDX-License-Identifier: Apache-2.0

package import JSON
import Terminal

/// A change in the daemon that waits for a confirmation.
package struct PendingAction: Sendable {
    /// The question that the user answers with `y`.
    package let confirmation: String
    package var method = "POST"
    package let path: String
    /// The JSON body of the request; empty for requests without one.
    package var body: [UInt8] = []
    /// Returns the message to show, from the response.
    package let outcome: @Sendable (JSONValue) -> String

    package static let confirm = KeyBinding([.character("y")], "yes", "Confirms the action; any other key cancels it.")
    package static let bindings = [confirm, KeyBinding([.escape], "cancel", "Cancels the action.")]
}
