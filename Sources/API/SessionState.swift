// SPDX-License-Identifier: Apache-2.0

/// The state of a session, as a poll returns it.
package struct SessionStateResponse: Codable, Sendable {
    package enum State: String, PublicName {
        case signedIn = "signed_in"
        case signedOut = "signed_out"
    }

    package var state: Named<State>
    /// Whether the ID token is out of date; only while the user is signed in.
    package var changed: Bool?
    /// Why the session ended; the name of an account event.
    package var why: String?

    package init(signedIn changed: Bool) {
        (state, self.changed) = (.known(.signedIn), changed)
    }

    package init(signedOut why: String) {
        (state, self.why) = (.known(.signedOut), why)
    }
}

/// The data of `event: signed_out` in a stream of a session's states.
package struct SessionEndResponse: Codable, Sendable {
    package var why: String

    package init(why: String) { self.why = why }
}
