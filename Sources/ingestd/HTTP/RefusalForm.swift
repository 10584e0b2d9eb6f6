// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

extension Refusal {
    /// The detail and the hint, for forms with one text.
    var sentences: String { [detail, hint].compactMap(\.self).joined(separator: " ") }
}

extension HTTPResponse {
    /// Adds the seconds after which to send the request again, if the refusal has them.
    mutating func addRetryAfter(_ refusal: Refusal) {
        if let seconds = refusal.retryAfterSeconds { headers.append(("Retry-After", String(seconds))) }
    }

    /// Adds the fields that Google's clients expect with a status: when to send the request again, and how to authenticate.
    mutating func addGoogleFields(_ refusal: Refusal) {
        if status == 429 || status == 503 { headers.append(("Retry-After", String(max(1, refusal.retryAfterSeconds ?? 1)))) }
        if status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
    }
}
