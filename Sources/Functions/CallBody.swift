// SPDX-License-Identifier: Apache-2.0

package import JSON
import Platform

/// The body of a call: an object with the member `data` alone, which is passed on untouched.
///
///     {"data": {"n": 1}}     →  {"n": 1}
///     {"data": 1, "x": 2}    →  INVALID_ARGUMENT
package struct CallBody: Sendable {
    package static let maximumBytes = 10 << 20
    /// The bytes of a run's response that are read. Its status decides about a longer one.
    package static let maximumRunBytes = 256 << 10
    package static let limits = JSONLimits(bytes: maximumBytes, tokens: 1_000_000, depth: 100)

    /// The data as it was written.
    package let data: ArraySlice<UInt8>

    package init(_ bytes: [UInt8], _ parser: JSONParser) throws(CallError) {
        let tape: JSONTape
        do throws(JSONError) {
            tape = try parser.withReader { reader throws(JSONError) in try reader.parse(bytes, limits: CallBody.limits) }
        } catch {
            if error.reason == .noMemory { throw CallError(.resourceExhausted, "The server has no free memory for this request.") }
            throw CallError(.invalidArgument, "The body \(error.explanation).")
        }
        guard tape[0].kind == .object, tape[0].children == 1, tape.text(tape[1]) == "data" else {
            throw CallError(.invalidArgument, "The body must be an object with the member data and no other.")
        }
        data = bytes[tape.slice(2)]
    }
}

/// The failure of a call, as its caller sees it.
package struct CallError: Error, Sendable, Equatable {
    package static let maximumMessageBytes = 16 << 10

    package var status: CallStatus
    package var message: String
    /// JSON of the function's.
    package var details: [UInt8]?
    /// The time after which another call makes sense.
    package var retryAfterSeconds: Int?
    /// Whether the target stated the error by a word of the protocol. Such an error belongs to one call and says nothing about the target.
    package var isStated = false

    package init(_ status: CallStatus, _ message: String, details: [UInt8]? = nil, retryAfterSeconds: Int? = nil) {
        (self.status, self.message, self.details, self.retryAfterSeconds) = (status, message, details, retryAfterSeconds)
    }

    /// The body of the response: `{"error":{"status":"NOT_FOUND","message":"There is no such function."}}`.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("error")
        json.beginObject()
        json.field("status", status.rawValue)
        json.field("message", message)
        if let details {
            json.key("details")
            json.raw(details[...])
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
