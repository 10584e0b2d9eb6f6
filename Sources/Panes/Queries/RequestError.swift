// SPDX-License-Identifier: Apache-2.0

/// Why a request failed, with a hint for the user.
package struct RequestError: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// No response: the daemon is not reachable.
        case unreachable
        /// 401: the key is unknown.
        case unknownKey
        /// 403: the role of the key does not allow it.
        case denied
        /// 404: the route or the item is unknown.
        case unknown
        /// 429, 502, 503 or 504: retry later.
        case busy
        /// The response has more bytes than the terminal reads.
        case tooLarge
        /// Any other error.
        case rejected
    }

    package var kind: Kind
    package var what: String
    package var hint: String?

    package init(kind: Kind, what: String, hint: String? = nil) {
        (self.kind, self.what, self.hint) = (kind, what, hint)
    }

    /// The body of a response is not of its type: the versions differ, or another program responded.
    package static let unexpectedResponse = RequestError(
        kind: .rejected, what: "Unexpected response", hint: "Check that daemon and terminal have the same version.")

    /// Message and hint as sentences.
    package var sentences: String {
        let whole = what.hasSuffix(".") ? what : what + "."
        return hint.map { "\(whole) \($0)" } ?? whole
    }
}
