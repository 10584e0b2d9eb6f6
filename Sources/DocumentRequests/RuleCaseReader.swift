// SPDX-License-Identifier: Apache-2.0

package import Platform
import Rules
import SignalboxDocumentModel

/// Why a file of test cases cannot be used.
package struct RuleCaseError: Error {
    package let position: SourcePosition
    package let message: String
}

/// Reads test cases in the form of Firebase's `TestSuite`, as JSON or JSON5, or as a bare list.
///
///     [{name: "an owner reads", expectation: "ALLOW",
///       request: {path: "users/u1", method: "get", auth: {uid: "u1"}}, resource: {data: {age: 7}}}]
package enum RuleCaseReader {
    package static let maximumBytes = JSON5Reader.maximumBytes

    package static func cases(_ bytes: [UInt8]) throws(RuleCaseError) -> [RuleCase] {
        let list = try list(bytes)
        guard case .array(let values) = list.kind, !values.isEmpty else { throw list.fault("A list of test cases is expected here.") }
        var cases: [RuleCase] = []
        for (index, value) in values.enumerated() { cases.append(try one(value, number: index + 1)) }
        return cases
    }

    package static func list(_ bytes: [UInt8]) throws(RuleCaseError) -> JSON5Value {
        let file: JSON5Value
        do throws(JSON5SyntaxError) {
            file = try JSON5Reader.read(bytes)
        } catch {
            throw RuleCaseError(position: error.position, message: error.message)
        }
        return try list(of: file)
    }

    private static func list(of file: JSON5Value) throws(RuleCaseError) -> JSON5Value {
        guard case .object = file.kind else { return file }
        let outer = try RuleCaseObject(file, ["testSuite", "testCases", "source"])
        guard let suite = outer["testSuite"] else { return try outer.required("testCases") }
        return try RuleCaseObject(suite, ["testCases"]).required("testCases")
    }

    private static func one(_ value: JSON5Value, number: Int) throws(RuleCaseError) -> RuleCase {
        let members = ["name", "expectation", "request", "resource", "functionMocks", "documents", "pathEncoding", "expressionReportLevel"]
        let object = try RuleCaseObject(value, members)
        let expectation = try object.required("expectation")
        guard let word = expectation.text, ["ALLOW", "DENY"].contains(word) else {
            throw expectation.fault("\"ALLOW\" or \"DENY\" is expected here.")
        }
        let asked = try RuleCaseObject(try object.required("request"), ["auth", "method", "path", "time", "resource", "query"])
        let path = try path(asked.required("path"))
        let method = try method(asked.required("method"))
        if method != .list, !path.isDocument { throw try asked.required("path").fault("The path of a document has an even number of segments.") }
        var request = RuleRequest(method, path, auth: try auth(asked["auth"]), time: try time(asked["time"]))
        let query = try asked["query"].map { value throws(RuleCaseError) in try RuleCaseQuery.read(value, of: path, method) }
        if let query { request.query = query.members }
        var test = RuleCase(
            name: object["name"]?.text ?? "case \(number)", expectsAllow: word == "ALLOW", request: request, path: path,
            query: path.isDocument ? nil : query?.query ?? DocumentQuery(collection: path.id, below: path.parent))
        test.existing = try fields(of: object["resource"])
        test.written = try fields(of: asked["resource"])
        if method == .create || method == .update, test.written == nil { throw value.fault("A \(method.rawValue) has a request.resource.") }
        test.mocks = try RuleCaseMocks.read(object["functionMocks"])
        test.documents = try documents(object["documents"])
        return test
    }

    /// Reads the path of a document or collection, with or without `/databases/(default)/documents/` in front.
    static func path(_ value: JSON5Value) throws(RuleCaseError) -> DocumentPath {
        var segments = (value.text ?? "").utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        if segments.first == "databases", segments.count > 3, segments[2] == "documents" { segments.removeFirst(3) }
        guard let path = DocumentPath(segments.joined(separator: "/")) else { throw value.fault("A path such as \"users/u1\" is expected here.") }
        return path
    }

    private static func method(_ value: JSON5Value) throws(RuleCaseError) -> RuleMethodName {
        guard let method = value.text.flatMap(RuleMethodName.init(rawValue:)) else {
            throw value.fault("The method is one of \(RuleMethodName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")).")
        }
        return method
    }

    private static func auth(_ value: JSON5Value?) throws(RuleCaseError) -> RuleValue {
        guard let value, value.kind != .null else { return .null }
        let object = try RuleCaseObject(value, ["uid", "token"])
        let uid = try object.required("uid")
        guard let text = uid.text else { throw uid.fault("A user ID in quotes is expected here.") }
        let token = try object["token"].map { value throws(RuleCaseError) in try value.documentValue() } ?? .map(DocumentFields())
        guard case .map = token else { throw value.fault("The token is an object of claims.") }
        let fields = DocumentFields([.init("uid", .text(ExactName(text))), .init("token", token)])
        return .stored(.map(fields ?? DocumentFields()))
    }

    private static func time(_ value: JSON5Value?) throws(RuleCaseError) -> DocumentTime {
        guard let value else { return DocumentTime(microseconds: WallClock.system.now().milliseconds * 1_000) ?? .epoch }
        guard let time = value.text.flatMap(DocumentTime.init(rfc3339:)) else {
            throw value.fault("A time such as \"2026-01-31T23:59:59Z\" is expected here.")
        }
        return time
    }

    /// The fields in `{data: {…}}`; nil for null or no value.
    static func fields(of value: JSON5Value?) throws(RuleCaseError) -> DocumentFields? {
        guard let value, value.kind != .null else { return nil }
        let object = try RuleCaseObject(value, ["data", "id", "__name__"])
        guard let data = object["data"] else { return DocumentFields() }
        return try data.documentFields()
    }

    /// Reads `{"users/u1": {name: "Ann"}}`.
    private static func documents(_ value: JSON5Value?) throws(RuleCaseError) -> [DocumentPath: DocumentFields] {
        guard let value else { return [:] }
        guard case .object(let members) = value.kind else { throw value.fault("Documents by their paths are expected here.") }
        var documents: [DocumentPath: DocumentFields] = [:]
        for member in members {
            let name = JSON5Value(.string(member.name), at: member.position)
            let path = try path(name)
            guard path.isDocument, documents[path] == nil else { throw name.fault("Each path is that of a document, once.") }
            documents[path] = try member.value.documentFields()
        }
        return documents
    }
}
