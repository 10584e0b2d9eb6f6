// SPDX-License-Identifier: Apache-2.0

/// The reason why a token was rejected. The raw value is a word for metrics and logs; a client learns only that its token is invalid.
package enum TokenError: String, Error, CaseIterable, Sendable {
    case tooLong = "too_long"
    /// Not three parts of canonical base64url with two JSON objects, or a name twice in one object.
    case malformed
    /// Not an algorithm of the list, or one that does not fit the key.
    case algorithm
    /// The header has `crit`, extensions that a reader must understand.
    case critical
    /// No key has the token's `kid`. The issuer may have a new one.
    case unknownKey = "unknown_key"
    case signature
    case issuer
    case audience
    /// Several audiences, and `azp` is none of ours.
    case authorizedParty = "authorized_party"
    case expired
    case notYetValid = "not_yet_valid"
    /// A claim is missing or has another type.
    case claim
    case nonce
    /// The token lives longer than its kind may.
    case lifetime
}
