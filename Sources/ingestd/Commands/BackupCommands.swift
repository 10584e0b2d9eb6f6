import JSON
import Platform
import Store

/// Copies of everything, and the way back.
enum BackupCommands {
    static let all: [Command] = [
        Command(
            words: ["backup"], positionals: [.init(name: "DIR")], options: Configuration.options + [AppCommands.json],
            summary: "Copies everything to a new folder, consistent and with sums, while the daemon runs.", run: backUp),
        Command(
            words: ["restore"], positionals: [.init(name: "DIR")],
            options: Configuration.options + [
                .init(name: "verify", value: nil, help: "Only compare the backup with its sums."), AppCommands.json,
            ], summary: "Puts a backup into an empty data folder.", run: restore),
    ]

    @Sendable private static func backUp(_ arguments: Arguments) async throws {
        let folder = Process.absolutePath(arguments.positionals[0])
        let bytes = try await Control.run(try Configuration(arguments)) { control in
            try await control.ask("POST", "/v1/backup", JSONWriter.object { $0.field("directory", folder) })
        }
        if arguments.has("json") { return print(bytes.text) }
        let answer = try Body(bytes)
        print("\(try answer.number("files", 0...Int.max) ?? 0) files, \(try answer.number("bytes", 0...Int.max) ?? 0) bytes in \(folder)")
    }

    @Sendable private static func restore(_ arguments: Arguments) async throws {
        let configuration = try Configuration(arguments)
        let folder = arguments.positionals[0]
        let verifyOnly = arguments.has("verify")
        let manifest = verifyOnly ? try Backup.verify(folder) : try Backup.restore(folder, into: configuration.storage.directory)
        let bytes = manifest.entries.reduce(0) { $0 + $1.bytes }
        if arguments.has("json") {
            return print(
                JSONWriter.object { json in
                    json.field("files", manifest.entries.count)
                    json.field("bytes", bytes)
                }.text)
        }
        print("\(manifest.entries.count) files, \(bytes) bytes " + (verifyOnly ? "are as they were backed up" : "restored"))
    }
}
