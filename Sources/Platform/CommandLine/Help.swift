// SPDX-License-Identifier: Apache-2.0

/// The help texts, derived from the command table.
package struct Help {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    package var overview: String {
        return """
            \(table.about)

            \(groups)

            `\(table.program)` alone is `\(table.program) \(table.standard.name)`. Every command has its own --help.
            Exit codes: \(table.exitCodes).
            """
    }

    /// Aligns columns over all groups.
    private var groups: String {
        let rows = table.groups.map { $0.commands.map { ["  \(table.program) \($0.name)", $0.summary] } }
        var lines = TextTable.lines(rows.flatMap(\.self)).split(separator: "\n")[...]
        return zip(table.groups, rows).map { group, rows in
            defer { lines = lines.dropFirst(rows.count) }
            return ([group.title + ":"] + lines.prefix(rows.count)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    package func group(_ name: String) -> String {
        let rows = table.commands.filter { $0.path.first == name }.map { ["  \(usage(of: $0))", $0.summary] }
        return "\(TextTable.lines(rows))\n\nEach command has its own --help."
    }

    package func of(_ command: Command) -> String {
        var parts = [command.summary, Help.wrapped(["Usage: \(table.program) \(command.name)"] + rest(of: command, withOptions: true), indent: 4)]
        parts.append(TextTable.lines(command.allOptions.map { ["  \($0.form)", $0.meaning] }))
        if !command.details.isEmpty {
            let lines = command.details.split(separator: "\n", omittingEmptySubsequences: false)
            parts.append(
                lines.map { Help.wrapped($0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)) }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    private static let width = 100

    /// Wraps text at blanks; indented lines such as examples are kept.
    private static func wrapped(_ pieces: [String], indent: Int = 0) -> String {
        guard pieces.first?.isEmpty == false else { return pieces.joined(separator: " ") }
        var lines = [pieces[0]]
        for piece in pieces.dropFirst() {
            let line = lines[lines.count - 1]
            if line.count + 1 + piece.count <= width {
                lines[lines.count - 1] = line + " " + piece
            } else {
                lines.append(String(repeating: " ", count: indent) + piece)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The usage without options.
    func usage(of command: Command) -> String {
        (["\(table.program) \(command.name)"] + rest(of: command, withOptions: false)).joined(separator: " ")
    }

    /// The arguments of a command in its usage.
    private func rest(of command: Command, withOptions: Bool) -> [String] {
        let options = command.shownOptions.map { option in
            let form = option.form + (option.isRepeatable ? " …" : "")
            return option.isRequired ? form : "[\(form)]"
        }
        return command.operands + (withOptions ? options : [])
    }
}
