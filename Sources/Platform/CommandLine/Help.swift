/// The words behind `--help`, all made from the command table.
package struct Help {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    package var overview: String {
        return """
            \(table.about)

            \(groups)

            `\(table.program)` alone is `\(table.program) \(table.standard.name)`. Every command has a --help of its own.
            Exit codes: \(table.exitCodes).
            """
    }

    /// In columns that all groups have in common.
    private var groups: String {
        let rows = table.groups.map { $0.commands.map { ["  \(table.program) \($0.name)", $0.summary] } }
        var lines = TextTable.lines(rows.flatMap(\.self)).split(separator: "\n")[...]
        return zip(table.groups, rows).map { group, rows in
            defer { lines = lines.dropFirst(rows.count) }
            return ([group.title + ":"] + lines.prefix(rows.count)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    package func group(_ name: String) -> String {
        let rows = table.commands.filter { $0.path.first == name }.map { ["  \(usage(of: $0, withOptions: false))", $0.summary] }
        return "\(TextTable.lines(rows))\n\nEach has a --help of its own."
    }

    package func of(_ command: Command) -> String {
        var parts = [command.summary, "Usage: \(usage(of: command))"]
        parts.append(TextTable.lines(command.allOptions.map { ["  \($0.form)", $0.meaning] }))
        if !command.details.isEmpty { parts.append(command.details) }
        return parts.joined(separator: "\n\n")
    }

    func usage(of command: Command, withOptions: Bool = true) -> String {
        let options = command.options.map { option in
            let form = option.form + (option.isRepeatable ? " …" : "")
            return option.isRequired ? form : "[\(form)]"
        }
        return (["\(table.program) \(command.name)"] + command.operands + (withOptions ? options : [])).joined(separator: " ")
    }
}
