// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Answers of Firestore's REST API are those of Google's emulator to the same requests.
///
/// `Tests/Conformance/documents/door.py` recorded random ones, and `cases.py` chosen ones: requests and answers with `@T3` in the place of the third time that a server named, `@X1` of
/// its first transaction, and `@P` of its last page token.
@Suite struct RecordedRequestTests {
    private struct Step {
        let method: String
        let path: String
        let body: String
        let answer: NSDictionary
        /// The words of an error, if they are those of the emulator.
        let message: String?

        init(_ recorded: Any) throws {
            let step = try #require(recorded as? [String: Any])
            let request = try #require(step["request"] as? [Any])
            (method, path) = (try #require(request[0] as? String), try #require(request[1] as? String))
            body = request[2] as? String ?? ""
            var answer = try #require(step["answer"] as? [String: Any])
            message = answer.removeValue(forKey: "message") as? String
            self.answer = answer as NSDictionary
        }
    }

    private static func programs(_ name: String) throws -> [[Step]] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fixtures/documents/\(name).ndjson")
        return try String(contentsOf: tests, encoding: .utf8).split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]).map(Step.init)
        }
    }

    /// The words of an error, without names of projects.
    private static func message(_ answer: Any) -> String? {
        let object = ((answer as? [Any])?.first ?? answer) as? [String: Any]
        let message = (object?["error"] as? [String: Any])?["message"] as? String
        return message?.replacing("projects/p/databases/(default)/documents", with: "~")
    }

    @Test(arguments: ["door", "cases"]) func `requests are answered as by the emulator`(name: String) async throws {
        try await withDaemon { live async throws in
            var compared = 0
            for (number, program) in try Self.programs(name).enumerated() {
                let keys = try await live.api.makeApp("p\(number)")
                var names = ServerNames()
                for step in program {
                    // The app of each program is its own project.
                    let (path, body) = (names.filled(step.path), names.filled(step.body).replacing("projects/p/", with: "projects/p\(number)/"))
                    let target = "/v1/projects/p\(number)/databases/(default)/documents\(path)"
                    let reply = try await live.api.request(step.method, target, key: keys.admin, body: Array(body.utf8))
                    let text = reply.text.replacing("projects/p\(number)/", with: "projects/p/")
                    let found = try JSONSerialization.jsonObject(with: Data(text.utf8))
                    let answer: NSDictionary = ["status": reply.status, "body": names.normal(found)]
                    let expected = names.comparable(step.answer)
                    #expect(names.comparable(answer).isEqual(expected), "\(step.method) \(step.path) \(step.body)\n\(answer)\nemulator: \(expected)")
                    if let message = step.message {
                        #expect(Self.message(found) == message, "\(step.method) \(step.path) \(step.body)")
                    }
                    compared += 1
                }
            }
            #expect(compared > 300)
        }
    }
}

/// The times, transactions and page tokens that a server named in one program, and answers without them.
private struct ServerNames {
    private static let timeNames: Set = ["createTime", "updateTime", "commitTime"]
    private static let leftOut: Set = ["readTime", "done", "nextPageToken", "skippedResults"]
    /// The times that requests have.
    private static let literals: Set = [
        "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z", "1960-01-01T00:00:00.5Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z",
    ]

    private var times: [String] = []
    private var transactions: [String] = []
    private var token = ""

    /// A text with the server's own names in the place of `@T3`, `@X1` and `@P`.
    func filled(_ text: String) -> String {
        text.replacing(/@([TX])(\d+)|@P/) { match in
            guard let kind = match.output.1, let number = match.output.2.flatMap({ Int($0) }) else { return token }
            let known = kind == "T" ? times : transactions
            return number < known.count ? known[number] : "2020-01-01T00:00:00Z"
        }
    }

    /// An answer with the same names for all servers. A document that is not there has its name only, which the emulator forgets after a deletion.
    mutating func normal(_ any: Any) -> Any {
        token = ""
        return normal(any, nil)
    }

    private mutating func normal(_ any: Any, _ name: String?) -> Any {
        if let list = any as? [Any] {
            if name == nil, let first = list.first as? [String: Any], first["error"] != nil { return normal(first, nil) }
            return list.map { normal($0, nil) }
        }
        if let object = any as? [String: Any] {
            if name == "error" { return object["status"] ?? NSNull() }
            if let code = object["code"], object["message"] != nil { return ["code": code] }
            token = object["nextPageToken"] as? String ?? token
            // Times get their names in the order in which they are met.
            var normal: [String: Any] = [:]
            let isChecked = object["name"] != nil && object["createTime"] == nil
            for key in object.keys.sorted() where !Self.leftOut.contains(key) && !(isChecked && key == "updateTime") {
                normal[key] = object[key].map { self.normal($0, key) }
            }
            return normal
        }
        guard let text = any as? String, let name else { return any }
        return self.name(text, name)
    }

    private mutating func name(_ text: String, _ name: String) -> String {
        switch name {
        case _ where Self.timeNames.contains(name):
            if !times.contains(text) { times.append(text) }
            return "@T\(times.firstIndex(of: text) ?? 0)"
        case "timestampValue": return Self.literals.contains(text) ? text : "now"
        case "transaction":
            transactions.append(text)
            return "@X"
        default: return text
        }
    }

    /// An answer in which equal doubles are equal, however they are written.
    func comparable(_ answer: NSDictionary) -> NSDictionary { comparable(answer, nil) as? NSDictionary ?? [:] }

    private func comparable(_ any: Any, _ name: String?) -> Any {
        if let object = any as? [String: Any] {
            return NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: object.map { ($0.key, comparable($0.value, $0.key)) }))
        }
        if let list = any as? [Any] { return NSArray(array: list.map { comparable($0, nil) }) }
        guard name == "doubleValue" else { return any }
        let number = (any as? String).map { Double($0) ?? .nan } ?? (any as? NSNumber)?.doubleValue ?? .nan
        return number.isFinite ? NSNumber(value: number + 0.0) : any
    }
}
