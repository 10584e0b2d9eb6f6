// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import JSON
import Platform
import Rules

/// `ingestd rules …`: checks security rules of documents and runs their test cases. Neither of the two needs a data folder.
enum RuleCommands {
    static let all = [check, test] + RuleAppCommands.all

    private static let check = Command(
        "rules check", "Checks a file of security rules (firestore.rules) and warns about open statements and unknown names.", operands: ["FILE"],
        details: "The first error is printed with its line and column."
    ) { arguments in
        let name = arguments.operand(0)
        let rules = try rules(name)
        for warning in rules.warnings { try Console.print("warning: \(name):\(warning)") }
        try Console.print("ok: \(rules.statements.of("statement"))")
    }

    private static let strict = Option("--strict", .none, "Proves queries only where Google's emulator does, as with the app's setting strict_rules.")

    private static let test = Command(
        "rules test", "Runs test cases of security rules: Firebase's TestSuite or a list of cases, as JSON or JSON5.",
        operands: ["FILE", "CASES"], options: [strict, .json],
        details:
            "A case has a request (path, method, auth, resource), the resource before it, mocks of get and exists, and the expected ALLOW or DENY."
    ) { arguments in
        let rules = try rules(arguments.operand(0)).proving(strictly: arguments.has(strict))
        let name = arguments.operand(1)
        let cases = try cases(name)
        let results = cases.map { RuleCaseResult(test: $0, decision: $0.decide(rules)) }
        if arguments.has(.json) { try Console.printJSON { RuleCaseResult.write(results, to: &$0) } } else { try show(results, arguments.operand(0)) }
        let failed = results.count { !$0.isExpected }
        if failed > 0 { throw Failure("\(failed) of \(cases.count) test cases failed.", hint: "Correct the rules or the expectation.") }
    }

    private static func cases(_ name: String) throws(Failure) -> [RuleCase] {
        let bytes = try contents(name)
        do throws(RuleCaseError) { return try RuleCaseReader.cases(bytes) } catch { throw failure(name, error) }
    }

    /// The list of test cases in a file, which was checked.
    static func caseList(_ name: String) throws(Failure) -> JSON5Value {
        let bytes = try contents(name)
        do throws(RuleCaseError) {
            _ = try RuleCaseReader.cases(bytes)
            return try RuleCaseReader.list(bytes)
        } catch { throw failure(name, error) }
    }

    private static func failure(_ name: String, _ error: RuleCaseError) -> Failure {
        Failure("\(name):\(error.position.line):\(error.position.column): \(error.message)", hint: nil)
    }

    private static func show(_ results: [RuleCaseResult], _ rules: String) throws {
        for result in results where !result.isExpected {
            try Console.put(Array("FAILED \(result.test.name): \(result.word(result.test.expectsAllow)) expected\n".utf8))
            if let place = result.decision.allowedBy { try Console.print("  allowed by \(rules):\(place)") }
            for fault in result.decision.faults { try Console.put(Array("  \(rules):\(fault)\n".utf8)) }
            if result.decision.allowedBy == nil, result.decision.faults.isEmpty { try Console.print("  no statement allows it") }
        }
        let passed = results.count(where: \.isExpected)
        try Console.print("\(passed) passed, \(results.count - passed) failed")
    }

    private static func rules(_ name: String) throws(Failure) -> Ruleset { try rules(name, try text(name)) }

    static func text(_ name: String) throws(Failure) -> String {
        guard let text = String(validating: try contents(name), as: UTF8.self) else {
            throw Failure("\(name): The text is not UTF-8.", hint: "Save the file as UTF-8.")
        }
        return text
    }

    static func rules(_ name: String, _ text: String) throws(Failure) -> Ruleset {
        do throws(RuleFault) {
            return try Ruleset(new: text)
        } catch {
            throw Failure("\(name):\(error)", hint: nil)
        }
    }

    private static func contents(_ name: String) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try SmallFile.read(name, limit: RuleCaseReader.maximumBytes + 1)
        } catch {
            throw Failure("\(name): \(error.reason)", hint: "Name a file that this user may read.")
        }
    }
}

/// A test case with its decision.
struct RuleCaseResult {
    let test: RuleCase
    let decision: RuleDecision

    var isExpected: Bool { decision.isAllowed == test.expectsAllow }

    /// The expected decision, and the reasons of the one that was made.
    var explanation: String {
        let reasons =
            if let place = decision.allowedBy { "allowed by \(place)" } else if decision.faults.isEmpty { "no statement allows it" } else {
                decision.faults.map(\.description).joined(separator: "; ")
            }
        return "\(word(test.expectsAllow)) expected, but \(reasons)"
    }

    func word(_ isAllowed: Bool) -> String { isAllowed ? "ALLOW" : "DENY" }

    static func write(_ results: [RuleCaseResult], to json: inout JSONWriter) {
        let passed = results.count(where: \.isExpected)
        json.field("passed", passed)
        json.field("failed", results.count - passed)
        json.key("cases")
        json.beginArray()
        for result in results { result.write(to: &json) }
        json.endArray()
    }

    private func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", test.name)
        json.field("expected", word(test.expectsAllow))
        json.field("decision", word(decision.isAllowed))
        if let place = decision.allowedBy { json.field("allowed_by", place.description) }
        json.field("errors", decision.faults.map(\.description))
        json.endObject()
    }
}
