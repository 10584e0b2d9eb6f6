// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The body of a response, or an event of a stream: `{"result": …}`, `{"message": …}` or `{"error": {"status", "message", "details"?}}`.
struct CallResponse {
    private let members: [String: JSONValue]

    init?(_ body: Data) {
        guard let members = (try? JSONDecoder().decode(JSONValue.self, from: body))?.objectValue else { return nil }
        self.members = members
    }

    /// The result, which older functions call `data`.
    var result: JSONValue? { (members["result"] ?? members["data"])?.unwrapped }
    var message: JSONValue? { members["message"]?.unwrapped }

    /// The error. An unknown word is INTERNAL, as in Firebase's clients.
    func error(httpStatus: Int = 500) -> FunctionsError? {
        guard let error = members["error"]?.objectValue else { return nil }
        let code = error["status"]?.stringValue.map { FunctionsErrorCode(status: $0) ?? .internal } ?? FunctionsErrorCode(httpStatus: httpStatus)
        return FunctionsError(code, error["message"]?.stringValue ?? code.status, details: error["details"]?.unwrapped)
    }

    /// Evaluates a whole response.
    static func result(of response: APIClient.Response) throws(FunctionsError) -> JSONValue {
        let body = CallResponse(response.body)
        if let error = body?.error(httpStatus: response.status) { throw error }
        guard response.status == 200 else {
            let code = FunctionsErrorCode(httpStatus: response.status)
            throw FunctionsError(code, Problem(response.body).detail ?? code.status)
        }
        guard let result = body?.result else { throw FunctionsError(.internal, "The response has no result.") }
        return result
    }
}

extension JSONValue {
    private static let types = "type.googleapis.com/google.protobuf."

    /// The value with Firebase's wrappers of 64-bit integers undone: `{"@type": "type.googleapis.com/google.protobuf.Int64Value", "value":
    /// "7"}` is 7.
    var unwrapped: JSONValue {
        switch self {
        case .array(let list): return .array(list.map(\.unwrapped))
        case .object(let members):
            guard let type = members["@type"]?.stringValue, let text = members["value"]?.stringValue else {
                return .object(members.mapValues(\.unwrapped))
            }
            if type == JSONValue.types + "Int64Value", let number = Int64(text) { return .integer(number) }
            if type == JSONValue.types + "UInt64Value", let number = UInt64(text) { return JSONValue(number) }
            return .object(members.mapValues(\.unwrapped))
        default: return self
        }
    }

    /// An integer, as `integer` if it fits.
    init(_ number: UInt64) {
        self = Int64(exactly: number).map(JSONValue.integer) ?? .unsigned(number)
    }
}
