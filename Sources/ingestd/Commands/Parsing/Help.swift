/// The words behind `--help`, all made from the command table.
enum Help {
    static var overview: String {
        let rows = Command.all.map { ["  ingestd \($0.name)", $0.summary] }
        return """
            Signalbox takes in what apps report and keeps it; ingestd is its daemon.

            \(TextTable.lines(rows))

            `ingestd` alone is `ingestd serve`. Every command has a --help of its own.
            Exit codes: 0 done, 1 failed, 2 wrong usage.
            """
    }

    static func group(_ name: String) -> String {
        let rows = Command.all.filter { $0.path.first == name }.map { ["  \(usage(of: $0, withOptions: false))", $0.summary] }
        return "\(TextTable.lines(rows))\n\nEach has a --help of its own."
    }

    static func of(_ command: Command) -> String {
        var parts = [command.summary, "Usage: \(usage(of: command))"]
        parts.append(TextTable.lines(command.allOptions.map { ["  \($0.form)", $0.meaning] }))
        if !command.details.isEmpty { parts.append(command.details) }
        return parts.joined(separator: "\n\n")
    }

    static func usage(of command: Command, withOptions: Bool = true) -> String {
        let options = command.options.map { option in
            let form = option.form + (option.isRepeatable ? " …" : "")
            return option.isRequired ? form : "[\(form)]"
        }
        return (["ingestd \(command.name)"] + command.operands + (withOptions ? options : [])).joined(separator: " ")
    }
}
