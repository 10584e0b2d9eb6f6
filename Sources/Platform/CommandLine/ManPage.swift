// SPDX-License-Identifier: Apache-2.0

/// The manual page of a program in roff, derived from its command table.
package struct ManPage {
    private let table: CommandTable
    private var lines: [String] = []

    package init(_ table: CommandTable) {
        self.table = table
    }

    package var text: String {
        var page = self
        page.write()
        return page.lines.joined(separator: "\n")
    }

    private mutating func write() {
        lines.append(".TH \(ManPage.escaped(table.program).uppercased()) 1 \"\" \"Signalbox \(Version.current)\" \"Signalbox\"")
        section("NAME")
        // The first sentence is shown by `whatis`.
        lines.append("\(ManPage.escaped(table.program)) \\- \(ManPage.escaped(table.about))")
        section("SYNOPSIS")
        lines.append("\\fB\(ManPage.escaped(table.program))\\fR [\\fICOMMAND\\fR] [\\fIOPTION\\fR]...")
        section("DESCRIPTION")
        paragraph(table.about)
        paragraph("The default command is \(table.standard.name).")
        for group in table.groups {
            section(group.title.uppercased())
            for command in group.commands { write(command) }
        }
        write("CONNECTION", table.shared.map { Term($0.form, $0.meaning) })
        section("EXIT STATUS")
        paragraph(table.exitCodes + ".")
        write("ENVIRONMENT", table.environment)
        write("FILES", table.files)
    }

    private mutating func write(_ command: Command) {
        lines.append(".SS \(ManPage.escaped(command.name))")
        paragraph(command.summary)
        paragraph(Help(table).usage(of: command))
        let shared = command.shownOptions.filter(isShared)
        let own = shared.count == table.shared.count ? command.shownOptions.filter { !isShared($0) } : command.shownOptions
        for option in own { write(Term(option.form, option.meaning)) }
        if own.count < command.shownOptions.count { paragraph("It also accepts connection options: see CONNECTION.") }
        for part in command.details.split(separator: "\n\n") { paragraph(String(part)) }
    }

    private func isShared(_ option: Option) -> Bool {
        table.shared.contains { $0.name == option.name && $0.meaning == option.meaning }
    }

    private mutating func write(_ title: String, _ terms: [Term]) {
        guard !terms.isEmpty else { return }
        section(title)
        for term in terms { write(term) }
    }

    private mutating func write(_ term: Term) {
        lines += [".TP", "\\fB\(ManPage.escaped(term.word))\\fR", ManPage.escaped(term.meaning)]
    }

    private mutating func section(_ title: String) {
        lines.append(".SH \(ManPage.escaped(title))")
    }

    /// Keeps indented lines as they are.
    private mutating func paragraph(_ text: String) {
        lines.append(".PP")
        let isTable = text.contains("\n ") || text.hasPrefix(" ")
        if isTable { lines.append(".nf") }
        lines += text.split(separator: "\n").map { ManPage.escaped(String($0)) }
        if isTable { lines.append(".fi") }
    }

    /// Escapes text for roff, in ASCII.
    static func escaped(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": line += "\\e"
            case "-": line += "\\-"
            case "'": line += "\\(aq"
            case "`": line += "\\(ga"
            case "^": line += "\\(ha"
            case "~": line += "\\(ti"
            case "\"": line += "\\(dq"
            case _ where scalar.isASCII: line.unicodeScalars.append(scalar)
            default: line += "\\[u\(padded(String(scalar.value, radix: 16, uppercase: true)))]"
            }
        }
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    private static func padded(_ digits: String) -> String {
        String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
