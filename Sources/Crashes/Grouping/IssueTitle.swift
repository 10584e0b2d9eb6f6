// SPDX-License-Identifier: Apache-2.0

/// The title of an issue, taken from its first stored report.
package enum IssueTitle {
    private static let longest = 200

    package static func of(_ report: CrashReport) -> String {
        let type = type(of: report)
        let reason = firstLine(report.reason ?? report.exceptions.last?.value ?? "")
        if reason.isEmpty || reason == type { return withoutMessage(report) }
        return type.isEmpty ? reason : String("\(type): \(reason)".prefix(longest))
    }

    /// Returns the title without the exception's message, which may contain personal data.
    package static func withoutMessage(_ report: CrashReport?) -> String {
        let type = report.map(type(of:)) ?? ""
        return type.isEmpty ? "Unnamed crash" : type
    }

    private static func type(of report: CrashReport) -> String { firstLine(report.exceptions.last?.type ?? report.type) }

    private static func firstLine(_ text: String) -> String {
        let bytes = text.utf8.drop(while: \.isSpace).prefix { $0 != 0x0a && $0 != 0x0d }
        return String(String(decoding: bytes, as: UTF8.self).prefix(longest))
    }
}
