// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A status of Google's APIs, with its number in gRPC and in HTTP.
package enum GoogleStatus: String, Sendable, CaseIterable {
    case invalidArgument = "INVALID_ARGUMENT"
    case failedPrecondition = "FAILED_PRECONDITION"
    case unauthenticated = "UNAUTHENTICATED"
    case permissionDenied = "PERMISSION_DENIED"
    case notFound = "NOT_FOUND"
    case alreadyExists = "ALREADY_EXISTS"
    case aborted = "ABORTED"
    case resourceExhausted = "RESOURCE_EXHAUSTED"
    case internalError = "INTERNAL"
    case unimplemented = "UNIMPLEMENTED"
    case unavailable = "UNAVAILABLE"
    case deadlineExceeded = "DEADLINE_EXCEEDED"

    package var code: Int {
        switch self {
        case .invalidArgument: 3
        case .deadlineExceeded: 4
        case .notFound: 5
        case .alreadyExists: 6
        case .permissionDenied: 7
        case .resourceExhausted: 8
        case .failedPrecondition: 9
        case .aborted: 10
        case .unimplemented: 12
        case .internalError: 13
        case .unavailable: 14
        case .unauthenticated: 16
        }
    }

    package var httpStatus: Int {
        switch self {
        case .invalidArgument, .failedPrecondition: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .internalError: 500
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }
}

/// An error that a client of the Firestore API sees.
///
///     {"error": {"code": 404, "message": "No document to update: projects/p/…/users/u1", "status": "NOT_FOUND"}}
package struct FirestoreFault: Error, Hashable, Sendable {
    package let status: GoogleStatus
    package let message: String

    package init(_ status: GoogleStatus, _ message: String) {
        (self.status, self.message) = (status, message)
    }

    static func invalid(_ message: String) -> FirestoreFault { FirestoreFault(.invalidArgument, message) }

    /// Writes the object of a failed request. A method whose answer is a stream has it within an array.
    package func write(to json: inout JSONWriter, inStream: Bool = false) {
        if inStream { json.beginArray() }
        json.beginObject()
        json.key("error")
        json.beginObject()
        json.field("code", status.httpStatus)
        json.field("message", message)
        json.field("status", status.rawValue)
        json.endObject()
        json.endObject()
        if inStream { json.endArray() }
    }

    /// Writes the status of one write of a batch, which is `{}` if the write was made.
    package static func writeStatus(_ fault: FirestoreFault?, to json: inout JSONWriter) {
        json.beginObject()
        if let fault {
            json.field("code", fault.status.code)
            json.field("message", fault.message)
        }
        json.endObject()
    }
}
