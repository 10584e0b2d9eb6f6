import JSON
import Platform
import Store

/// What makes the first minute easy, and what production never does: an app is there, and its keys are shown at every start.
enum DevelopmentKeys {
    /// On an empty data folder makes the app `default` and keeps its keys in a file only the owner may read.
    static func prepare(_ daemon: Daemon) async throws {
        let store = daemon.store
        guard store.directory.now.apps.isEmpty else { return }
        let (app, keys) = try await store.createAppWithKeys(named: "default")
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
    static func show(_ daemon: Daemon, address: String) throws {
        guard Folder.exists(daemon.store.paths.developmentKeys) else { return }
        let bytes = try File(daemon.store.paths.developmentKeys, .read).read(at: 0, count: 1 << 16)
        let file = try Body(bytes)
        let keys = try file.object("keys")
        let directory = daemon.store.directory.now
        var lines = ["", "Keys of the app «\(try file.text("name"))» (for development; kept in \(daemon.store.paths.developmentKeys)):"]
        for role in Role.ofKeys {
            guard let secret = try keys.optionalText(role.rawValue), directory.key(secret) != nil else { continue }
            lines.append("  \(role.rawValue)\(String(repeating: " ", count: 8 - role.rawValue.count))\(secret)")
        }
        if let ingest = try keys.optionalText(Role.ingest.rawValue), directory.key(ingest) != nil {
            lines += ["", "Send a first event:", "", curl(ingest, address), ""]
        }
        print(lines.joined(separator: "\n"))
        Process.flush()
    }

    private static func curl(_ key: String, _ address: String) -> String {
        """
          curl http://\(address)/v1/events -H 'Authorization: Bearer \(key)' -H 'Content-Type: application/json' \\
            -d '{"installation_id": "my-phone", "events": [{"name": "screen_view", "params": {"screen_name": "Home"}}]}'
        """
    }
}
