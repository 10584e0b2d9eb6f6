// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Signalbox

/// Functions without a daemon.
@Suite struct FunctionValueTests {
    private func result(_ status: Int, _ body: String) throws(FunctionsError) -> JSONValue {
        try CallResponse.result(of: APIClient.Response(status: status, body: Data(body.utf8)))
    }

    @Test func `responses are read as Firebase's clients read them`() throws {
        #expect(try result(200, #"{"result": {"a": 1}}"#) == ["a": 1])
        #expect(try result(200, #"{"data": 7}"#) == 7)
        #expect(try result(200, #"{"result": null}"#) == .null)
        let wrapped =
            #"{"result": [{"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "-9223372036854775808"},"#
            + #"{"@type": "type.googleapis.com/google.protobuf.UInt64Value", "value": "18446744073709551615"}, {"@type": "other", "value": "1"}]}"#
        #expect(try result(200, wrapped) == [.integer(.min), .unsigned(.max), ["@type": "other", "value": "1"]])
    }

    @Test(arguments: [
        (200, "{}", FunctionsErrorCode.internal), (200, "captive portal", .internal), (401, "", .unauthenticated), (409, "", .alreadyExists),
        (418, "", .internal), (429, "{}", .resourceExhausted), (503, "", .unavailable), (504, "", .deadlineExceeded),
        (200, #"{"error": {"status": "OUT_OF_RANGE"}}"#, .outOfRange), (404, #"{"error": {"status": "NEW_WORD", "message": "m"}}"#, .internal),
        (404, #"{"error": {"message": "m"}}"#, .notFound),
    ]) func `failures have codes`(_ status: Int, _ body: String, _ code: FunctionsErrorCode) {
        let failure = #expect(throws: FunctionsError.self) { try result(status, body) }
        #expect(failure?.code == code)
    }

    @Test func `codes have Firebase's raw values and words`() {
        #expect(FunctionsErrorCode.allCases.map(\.rawValue) == Array(0...16))
        #expect(FunctionsErrorCode.allCases.allSatisfy { FunctionsErrorCode(status: $0.status) == $0 })
    }

    @Test func `JSON keeps every value`() throws {
        let text = #"{"a":[null,true,-1,1.5,"x",{"b":18446744073709551615}]}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value == ["a": [nil, true, -1, 1.5, "x", ["b": .unsigned(.max)]]])
        #expect(try String(decoding: JSONEncoder().encode(value), as: UTF8.self) == text)
        #expect(value["a"][3].numberValue == 1.5 && value["a"][2].integerValue == -1 && value["a"][1].boolValue == true)
        #expect(value["a"][4].stringValue == "x" && value["absent"][9] == .null && value["a"][5]["b"].numberValue == Double(UInt64.max))
    }

    @Test func `in-memory functions take the place of servers`() async throws {
        let functions = InMemoryFunctions()
        functions.handle("receipt") { data in ["total": data["count"]] }
        functions.handle("pay") { _ in throw FunctionsError(.failedPrecondition, "expired") }
        functions.handleStream("steps") { _, send in
            send(1)
            return "done"
        }
        #expect(try await functions.httpsCallable("receipt").call(["count": 2]).data == ["total": 2])
        await #expect(throws: FunctionsError(.failedPrecondition, "expired")) { try await functions.httpsCallable("pay").call() }
        let missing = await #expect(throws: FunctionsError.self) { try await functions.httpsCallable("absent").call() }
        #expect(missing?.code == .notFound)
        var parts: [StreamResponse<JSONValue, JSONValue>] = []
        for try await part in functions.httpsCallable("steps").stream() { parts.append(part) }
        #expect(parts == [.message(1), .result("done")])
        #expect(functions.calls.map(\.name) == ["receipt", "pay", "absent", "steps"] && functions.calls.first?.data == ["count": 2])
    }
}
