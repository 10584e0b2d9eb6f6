// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

/// Reads the `functionMocks` of a test case: results of `get`, `exists`, `getAfter` and `existsAfter`.
///
///     [{function: "get", args: [{exactValue: "/databases/(default)/documents/users/u1"}], result: {value: {data: {admin: true}}}},
///      {function: "exists", args: [{anyValue: {}}], result: {value: false}}]
enum RuleCaseMocks {
    private static let functions = ["get": false, "exists": false, "getAfter": true, "existsAfter": true]

    static func read(_ value: JSON5Value?) throws(RuleCaseError) -> [RuleCase.Mock] {
        guard let value else { return [] }
        guard case .array(let values) = value.kind else { throw value.fault("A list of mocks is expected here.") }
        var found: [(isContent: Bool, mock: RuleCase.Mock)] = []
        for value in values { found.append(try one(value)) }
        // A document that `get` returns says more than an answer of `exists`.
        return found.filter(\.isContent).map(\.mock) + found.filter { !$0.isContent }.map(\.mock)
    }

    private static func one(_ value: JSON5Value) throws(RuleCaseError) -> (isContent: Bool, mock: RuleCase.Mock) {
        let object = try RuleCaseObject(value, ["function", "args", "result"])
        let function = try object.required("function")
        guard let name = function.text, let isAfter = functions[name] else {
            throw function.fault("The function is one of \(functions.keys.sorted().joined(separator: ", ")).")
        }
        let path = try path(object.required("args"))
        let result = try RuleCaseObject(try object.required("result"), ["value", "undefined"])
        guard let content = result["value"], content.kind != .null else { return (true, .init(isAfter: isAfter, path: path, fields: nil)) }
        if case .bool(let exists) = content.kind { return (false, .init(isAfter: isAfter, path: path, fields: exists ? DocumentFields() : nil)) }
        return (true, .init(isAfter: isAfter, path: path, fields: try RuleCaseReader.fields(of: content)))
    }

    private static func path(_ value: JSON5Value) throws(RuleCaseError) -> DocumentPath? {
        guard case .array(let arguments) = value.kind, arguments.count == 1 else { throw value.fault("A list of one argument is expected here.") }
        let argument = try RuleCaseObject(arguments[0], ["exactValue", "anyValue"])
        guard let exact = argument["exactValue"] else { return nil }
        return try RuleCaseReader.path(exact)
    }
}
