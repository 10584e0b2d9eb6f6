// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Platform

/// The caller that a stream of documents belongs to, with its newest token.
struct StreamHolder: Sendable {
    /// The time before the end of a token at which the client is told to renew it.
    private static let renewal = Timestamp.Span.seconds(60)

    let caller: Caller
    /// The user about whom rules decide; nil for servers.
    let principal: RulePrincipal?
    /// The end of the ID token; none for keys.
    let expires: Timestamp
    private var isRenewalAnnounced = false

    init(_ call: Call) {
        caller = call.caller
        principal = call.rulePrincipal
        expires = if case .user(let user) = caller { user.expires } else { Timestamp(milliseconds: .max) }
    }

    /// The user whose tokens of streams these are; nil for keys.
    var uid: String? { if case .user(let user) = caller { user.uid } else { nil } }

    /// Returns the time before which the client must renew its token; nil if that is not near, or was returned before.
    mutating func takeRenewal(at now: Timestamp) -> Timestamp? {
        if isRenewalAnnounced || now < expires - Self.renewal { return nil }
        isRenewalAnnounced = true
        return expires
    }

    /// The time until the client must be told of its token, or the stream ends with it.
    func quiet(at now: Timestamp) -> Duration {
        let next = isRenewalAnnounced ? expires : expires - Self.renewal
        return .milliseconds(max(100, next.milliseconds - now.milliseconds))
    }
}

extension JudgedTarget {
    var isDocument: Bool { if case .document = self { true } else { false } }
}
