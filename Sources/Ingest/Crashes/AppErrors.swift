// SPDX-License-Identifier: Apache-2.0

import Crashes
package import Events
package import JSON
import Platform

/// The `app_error` events of a submission as nonfatal crashes.
package struct AppErrors: Sendable {
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Returns a crash for each `app_error` event. It has the event's ID, so that it counts once.
    ///
    /// - Parameter rejected: The indices of events that were not stored.
    package func batch(of submission: EventSubmission, except rejected: Set<Int> = []) -> CrashBatch {
        let errors = submission.records.filter { $0.kind == .appError && !rejected.contains(Int($0.index)) }
        return CrashBatch(
            app: submission.app, received: submission.received, body: [], crashes: errors.map { entry($0, submission) }, quarantined: [],
            corrections: [], envelope: submission.envelope)
    }

    private func entry(_ record: EventRecord, _ submission: EventSubmission) -> CrashBatch.Entry {
        var report = CrashReport(id: submission.id(of: record), kind: .nonfatal, level: .error, time: record.time, type: "app_error")
        report.handled = true
        report.user = submission.given(record.user)
        report.installation = submission.given(record.installation)
        report.session = submission.given(record.session)
        let values = submission.contexts[Int(record.context)].values
        report.context = zip(CrashContext.fields, values).compactMap { name, value in submission.given(value).map { CustomKey(name, $0) } }
        report.build = report.contextValue("build")
        if !record.params.isEmpty { readParams(Array(submission.bytes(record.params)), into: &report) }
        return CrashBatch.Entry(index: Int(record.index), report: report, flags: record.flags)
    }

    private func readParams(_ params: [UInt8], into report: inout CrashReport) {
        parser.withReader { json in
            guard let tape = try? json.parse(params) else { return }
            defer { json.reuse(tape) }
            var parts = CrashReader(tape)
            let description = parts.text("error_description", of: 0, limit: CrashLimits.reasonCharacters)
            if let description { ErrorText(description).name(&report) }
            report.logs = parts.logs(tape.value("error_context", of: 0))
            report.customKeys = parts.customKeys(0).filter { $0.name != "error_description" && $0.name != "error_context" }
            report.cuts = parts.takeCuts().map { "\($0.field): \($0.message)" }
        }
    }
}

/// An error text split into its type and message: `CheckoutError: card declined`.
private struct ErrorText {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    func name(_ report: inout CrashReport) {
        report.reason = text
        guard let colon = text.firstIndex(of: ":"), isType(text[..<colon]) else { return }
        report.type = String(text[..<colon])
        let rest = text[text.index(after: colon)...].trimmed
        report.reason = rest.isEmpty ? nil : String(rest)
    }

    /// Whether the text looks like a type name: it begins with a capital and contains no space.
    private func isType(_ name: Substring) -> Bool {
        guard let first = name.first, first.isLetter || first == "_", name.utf8.count <= CrashLimits.typeCharacters else { return false }
        return name.contains { $0.isUppercase } && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "$" }
    }
}

extension EventSubmission {
    fileprivate func given(_ range: ByteRange) -> String? { range.isEmpty ? nil : text(range) }
}
