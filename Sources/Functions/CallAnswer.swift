// SPDX-License-Identifier: Apache-2.0

package import JSON
import Platform

/// The answer of a function's target.
///
///     200 {"result": 7}   200 {"data": 7}              →  result 7
///     200, an empty body, or anything else              →  result null
///     200, JSON beyond the limits of a result           →  INTERNAL
///     404 {"error":{"status":"NOT_FOUND","message":"no order"}}  →  NOT_FOUND "no order"
///     404, anything else                                →  NOT_FOUND
package enum CallAnswer: Sendable, Equatable {
    /// The result as it was written.
    case result(ArraySlice<UInt8>)
    case failure(CallError)

    package static let null = CallAnswer.result(Array("null".utf8)[...])

    /// Reads the answer of an HTTP address.
    package init(status: Int, _ body: [UInt8], _ parser: JSONParser) {
        let byStatus = CallAnswer.of(status)
        guard !body.isEmpty else {
            self = byStatus
            return
        }
        do throws(JSONError) {
            let tape = try parser.withReader { reader throws(JSONError) in try reader.parse(body, limits: CallBody.limits) }
            self = CallAnswer(tape, at: 0, isSuccess: (200..<300).contains(status)) ?? byStatus
        } catch {
            switch error.reason {
            case .noMemory: self = .failure(CallError(.resourceExhausted, "The server has no free memory for the result."))
            case .tooLarge, .tooManyTokens, .tooManyMembers, .tooDeep:
                self = byStatus == .null ? .failure(CallError(.internal, "The function's result \(error.explanation).")) : byStatus
            default: self = byStatus
            }
        }
    }

    /// Reads an object with a result or an error; nil for anything else.
    package init?(_ tape: JSONTape, at object: Int, isSuccess: Bool = true) {
        guard tape[object].kind == .object else { return nil }
        if let error = tape.value("error", of: object), tape[error].kind == .object {
            self = .failure(CallError(tape, at: error))
        } else if isSuccess, let result = tape.value("result", of: object) ?? tape.value("data", of: object) {
            self = .result(tape.bytes[tape.slice(result)])
        } else {
            return nil
        }
    }

    private static func of(_ status: Int) -> CallAnswer {
        let status = CallStatus(http: status)
        return status == .ok ? .null : .failure(CallError(status, status.rawValue))
    }
}

extension CallError {
    /// Reads the error of a target. An unknown word is INTERNAL, as at the clients.
    fileprivate init(_ tape: JSONTape, at object: Int) {
        let word = tape.value("status", of: object).flatMap { tape[$0].kind == .string ? tape.text(tape[$0]) : nil } ?? ""
        let known = CallStatus(rawValue: word).flatMap { $0 == .ok ? nil : $0 }
        let status = known ?? .internal
        let message = tape.value("message", of: object).flatMap { tape[$0].kind == .string ? tape.text(tape[$0]) : nil }
        self.init(status, message.flatMap { $0.utf8.count <= CallError.maximumMessageBytes ? $0 : nil } ?? status.rawValue)
        details = tape.value("details", of: object).map { Array(tape.bytes[tape.slice($0)]) }
        isStated = known != nil
    }
}

extension JSONTape {
    /// Returns the place of a member's value.
    package func value(_ name: String, of object: Int) -> Int? {
        var key = object + 1
        while key < self[object].next {
            let value = self[key].next
            if text(self[key]) == name { return value }
            key = self[value].next
        }
        return nil
    }
}
