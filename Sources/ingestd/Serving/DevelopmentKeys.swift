// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Database
import EventStore
import JSON
import Platform

/// Creates an app on an empty data folder and prints its keys at every start; in development mode only.
struct DevelopmentKeys {
    let store: Stores
    /// The settings of the first app.
    let settings: [(name: String, value: String)]
    let log: Log

    /// On an empty data folder, creates the app `default` and stores its keys in a file with mode 0600.
    func prepare() async throws {
        guard store.events.directory.now.apps.isEmpty else { return }
        let (app, keys) = try await store.events.createAppWithKeys(named: "default", settings: settings)
        var json = JSONWriter()
        json.beginObject()
        json.field("app", app.id.rawValue)
        json.field("name", app.name)
        json.key("keys")
        json.beginObject()
        for (role, secret) in keys { json.field(role.rawValue, secret) }
        json.endObject()
        json.endObject()
        let file = try File(store.paths.developmentKeys, .create)
        try file.write(json.bytes + [0x0a])
        try file.sync()
    }

    /// Prints the valid keys with a `curl` command for the first request.
    func show(address: ListenAddress) {
        let path = store.paths.developmentKeys
        guard Folder.exists(path) else { return }
        guard let kept = try? Body(File(path, .read).read(at: 0, count: 1 << 16)), let name = try? kept.text("name"),
            let keys = try? kept.object("keys")
        else { return log.warning("could not read the development keys; delete the file to remove this warning", ["file": .text(path)]) }
        let directory = store.events.directory.now
        let working = Role.ofFirstKeys.compactMap { role in
            (try? keys.optionalText(role.rawValue)).flatMap { directory.key($0) == nil ? nil : (role: role, secret: $0) }
        }
        guard !working.isEmpty else { return }
        var text = """

            Keys of the app «\(name)» (for development; kept in \(path)):
            \(TextTable.lines(working.map { ["  \($0.role.rawValue)", $0.secret] }))

            """
        if let ingest = working.first(where: { $0.role == .ingest }) {
            text += "\nSend a first event:\n\n\(DevelopmentKeys.curl(ingest.secret, address))\n"
        }
        // A closed standard output must not stop the daemon.
        try? Console.print(text)
    }

    private static func curl(_ key: String, _ address: ListenAddress) -> String {
        let place =
            switch address {
            case .tcp: "'http://\(address)/v1/events'"
            case .unix(let path): "--unix-socket '\(path)' 'http://localhost/v1/events'"
            }
        return """
              curl \(place) -H 'Authorization: Bearer \(key)' -H 'Content-Type: application/json' \\
                -d '{"installation_id": "my-phone", "events": [{"name": "screen_view", "params": {"screen_name": "Home"}}]}'
            """
    }
}
