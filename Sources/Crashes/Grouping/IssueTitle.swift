/// What an issue is called: after its first report.
enum IssueTitle {
    private static let longest = 200

    static func of(_ report: CrashReport) -> String {
        let type = firstLine(report.exceptions.last?.type ?? report.type)
        let reason = firstLine(report.reason ?? report.exceptions.last?.value ?? "")
        if reason.isEmpty || reason == type { return type.isEmpty ? "Crash without a name" : type }
        return type.isEmpty ? reason : String("\(type): \(reason)".prefix(longest))
    }

    private static func firstLine(_ text: String) -> String {
        let bytes = text.utf8.drop(while: \.isSpace).prefix { $0 != 0x0a && $0 != 0x0d }
        return String(String(decoding: bytes, as: UTF8.self).prefix(longest))
    }
}
