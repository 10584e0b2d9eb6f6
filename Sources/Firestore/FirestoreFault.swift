// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform

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
