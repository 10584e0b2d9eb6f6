// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import EventStore
import JSON
import Platform
import AcrossStores

/// What makes the first minute easy, and what production never does: an app is there, and its keys are shown at every start.
enum DevelopmentKeys {
    /// On an empty data folder makes the app `default` and keeps its keys in a file only the owner may read.
    static func prepare(_ daemon: Daemon) async throws {
        let store = daemon.store
        guard store.events.directory.now.apps.isEmpty else { return }
        let (app, keys) = try await store.events.createAppWithKeys(named: "default", settings: daemon.settingsOfNewApps)
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

    /// Prints the keys that still work, with a first request to paste.
    static func show(_ daemon: Daemon, address: ListenAddress) {
        let path = daemon.store.paths.developmentKeys
        guard Folder.exists(path) else { return }
        guard let kept = try? Body(File(path, .read).read(at: 0, count: 1 << 16)), let name = try? kept.text("name"),
            let keys = try? kept.object("keys")
        else { return daemon.log.warning("development keys cannot be read", ["file": .text(path)]) }
        let directory = daemon.store.events.directory.now
        let working = Role.ofKeys.compactMap { role in
            (try? keys.optionalText(role.rawValue)).flatMap { directory.key($0) == nil ? nil : (role: role, secret: $0) }
        }
        guard !working.isEmpty else { return }
        var text = """

            Keys of the app «\(name)» (for development; kept in \(path)):
            \(TextTable.lines(working.map { ["  \($0.role.rawValue)", $0.secret] }))

            """
        if let ingest = working.first(where: { $0.role == .ingest }) {
            text += "\nSend a first event:\n\n\(curl(ingest.secret, address))\n"
        }
        // A daemon whose output nobody reads is no worse a daemon.
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
