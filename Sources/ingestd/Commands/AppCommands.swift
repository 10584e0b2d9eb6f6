// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd app …`: creates, lists and changes apps.
enum AppCommands {
    static let all = [create, list, show, set, rename, delete]

    private static let common = [Option.data, Option.config, Option.json]
    private static let yes = Option("--yes", .none, "Skips the confirmation.")

    private static let create = Command("app create", "Creates an app with a key for each role.", operands: ["NAME"], options: common) { arguments in
        let app = try await DataFolder(arguments).perform(making: true) { socket in
            try await socket.send("POST", "/v1/apps") { $0.field("name", arguments.operand(0)) }
        }
        let keys = app["keys"]?.fields ?? []
        if arguments.has(.json) { return try printCreated(app, keys) }
        try Console.print(
            """
            \(TextTable.lines([["app", app.text("app")], ["name", app.text("name")]]))

            \(TextTable.lines(keys.map { [$0.name, $0.value.text] }))

            Save them now: all keys but the ingest key are shown only once.
            """)
    }

    private static func printCreated(_ app: ControlReply, _ keys: [(name: String, value: ControlReply)]) throws {
        try Console.printJSON { json in
            json.field("app", app["app"])
            json.field("name", app["name"])
            json.key("keys")
            json.beginObject()
            for key in keys { json.field(key.name, key.value) }
            json.endObject()
        }
    }

    private static let list = Command("app list", "Lists the apps.", options: common) { arguments in
        let apps = try await DataFolder(arguments).perform { try await $0.items("/v1/apps") }
        if arguments.has(.json) { return try Console.printItems(apps) { json, app in json.raw(app.json) } }
        try Console.print(
            TextTable.lines(
                ["ID", "NAME", "CREATED", "TZ", "RETENTION"],
                apps.map { app in
                    let settings = app["settings"]
                    let days = settings.map { "\($0.text("retention_days")) days" } ?? ""
                    return [app.text("app"), app.text("name"), app.text("created_at"), settings?.text("tz") ?? "", days]
                }))
    }

    private static let show = Command("app show", "Shows an app and its settings.", operands: ["ID"], options: common) { arguments in
        let app = try await DataFolder(arguments).perform { try await $0.get(path(arguments)) }
        try print(app, arguments)
    }

    private static let set = Command(
        "app set", "Changes settings of an app, all or none.", operands: ["ID", "KEY=VALUE…"], options: common,
        details: "Settings:\n" + TextTable.lines(AppSettings.fields.map { ["  \($0.name)", $0.help] })
    ) { arguments in
        let settings = try arguments.operands.dropFirst().map { (word) throws(UsageError) in try setting(word) }
        let app = try await DataFolder(arguments).perform { socket in
            try await socket.send("PATCH", path(arguments)) { json in
                for (name, value) in settings { json.field(name, value) }
            }
        }
        try print(app, arguments)
    }

    private static func setting(_ word: String) throws(UsageError) -> (name: String, value: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, AppSettings.field(named: parts[0]) != nil else {
            let nearest = Spelling.nearest(to: parts[0], among: AppSettings.fields.map(\.name))
            let what = parts.count == 2 ? "There is no setting «\(parts[0])»." : "«\(word)» is not KEY=VALUE."
            throw UsageError(what: what + (nearest.map { " Did you mean \($0)=…?" } ?? ""), hint: "See `ingestd app set --help`.")
        }
        return (parts[0], parts[1])
    }

    private static let rename = Command("app rename", "Renames an app.", operands: ["ID", "NAME"], options: common) { arguments in
        let app = try await DataFolder(arguments).perform { socket in
            try await socket.send("PATCH", path(arguments)) { $0.field("name", arguments.operand(1)) }
        }
        try print(app, arguments)
    }

    private static let delete = Command(
        "app delete", "Deletes an app with its keys, users and events.", operands: ["ID"], options: common + [yes]
    ) { arguments in
        let folder = try DataFolder(arguments)
        let app = try await folder.perform { try await $0.get(path(arguments)) }
        try Console.confirm("Delete the app «\(app.text("name"))» (\(app.text("app"))) with everything in it?", arguments, yes)
        // By ID, since another app could take the name while the prompt is open.
        try await folder.perform { try await $0.delete("/v1/apps/\(app.text("app"))") }
        if arguments.has(.json) {
            try Console.printJSON { json in
                json.field("app", app["app"])
                json.field("deleted", true)
            }
        } else {
            try Console.print("Deleted the app «\(app.text("name"))».")
        }
    }

    private static func path(_ arguments: Arguments) -> String {
        "/v1/apps/\(arguments.operand(0).percentEncoded)"
    }

    private static func print(_ app: ControlReply, _ arguments: Arguments) throws {
        if arguments.has(.json) { return try Console.print(app) }
        let head = [["app", app.text("app")], ["name", app.text("name")], ["created", app.text("created_at")]]
        let settings = (app["settings"]?.fields ?? []).map { [$0.name, $0.value.text] }
        try Console.print(TextTable.lines(head + settings))
    }
}
