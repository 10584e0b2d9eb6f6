// SPDX-License-Identifier: Apache-2.0

/// Why there is no answer, in words for the person who waits for it.
package struct RequestError: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// Nobody answered.
        case unreachable
        /// The key opens nothing.
        case unknownKey
        /// The key does not open this.
        case denied
        /// The daemon does not know the question.
        case unknown
        /// The daemon asks to come back later.
        case busy
        /// Anything else the daemon said no to.
        case refused
    }

    package var kind: Kind
    package var what: String
    package var hint: String?

    package init(kind: Kind, what: String, hint: String? = nil) {
        (self.kind, self.what, self.hint) = (kind, what, hint)
    }

    /// What happened and what to do, as sentences; answers end theirs with a point, and connections do not.
    package var sentences: String {
        let whole = what.hasSuffix(".") ? what : what + "."
        return hint.map { "\(whole) \($0)" } ?? whole
    }
}
