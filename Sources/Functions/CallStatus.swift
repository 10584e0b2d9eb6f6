// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The outcome of a call: the callable protocol has the words of Google's APIs.
package typealias CallStatus = GoogleStatus

extension GoogleStatus {
    /// The outcome that an HTTP status stands for, when an answer has no word of its own. Any 2xx is success.
    package init(http: Int) {
        switch http {
        case 200..<300: self = .ok
        case 400: self = .invalidArgument
        case 401: self = .unauthenticated
        case 403: self = .permissionDenied
        case 404: self = .notFound
        case 409: self = .aborted
        case 429: self = .resourceExhausted
        case 499: self = .cancelled
        case 500: self = .internal
        case 501: self = .unimplemented
        case 503: self = .unavailable
        case 504: self = .deadlineExceeded
        default: self = .unknown
        }
    }

    /// Whether a run that ended so is not tried again: the same request would end the same way.
    package var isFinal: Bool {
        switch self {
        case .ok, .invalidArgument, .notFound, .permissionDenied, .unauthenticated, .failedPrecondition, .outOfRange, .unimplemented: true
        default: false
        }
    }
}
