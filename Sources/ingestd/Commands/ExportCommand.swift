import Platform

enum ExportCommand {
    static let command = Command(
        words: ["export"],
        options: [
            .init(name: "app", value: "ID", help: "The app, by id or name."),
            .init(name: "format", value: "FORMAT", help: "ndjson (default) or csv."),
            .init(name: "from", value: "T", help: "Only events from this time, such as 2026-11-21T00:00:00Z or -7d."),
            .init(name: "to", value: "T", help: "Only events before this time."),
            .init(name: "after", value: "SEQ", help: "Go on after this number, where an earlier export ended."),
        ] + Configuration.options, summary: "Writes an app's raw events to standard output."
    ) { arguments in
        var query = ["app=" + PercentEncoding.encode(try arguments.required("app", of: "export"))]
        for name in ["format", "from", "to", "after"] {
            if let value = arguments[name] { query.append("\(name)=\(PercentEncoding.encode(value))") }
        }
        let path = "/v1/export?" + query.joined(separator: "&")
        try await Control.run(try Configuration(arguments)) { control in
            try await control.stream(path) { try Process.write($0) }
        }
    }
}
