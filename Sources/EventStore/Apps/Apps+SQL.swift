// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform
import SQLite

extension EventStore {
    package func renameApp(_ id: AppID, to name: String) async throws -> App {
        try App.check(name)
        try await changeDirectory { context in
            try App.rejectTaken(name, in: context.main, except: id)
            try context.main.statement("UPDATE apps SET name = ? WHERE id = ?").run(.text(name), .integer(id.rawValue))
        }
        return try app(id)
    }

    /// Sets some of an app's settings, all or none.
    package func setApp(_ id: AppID, _ values: [(name: String, value: String)]) async throws -> App {
        let stored = try app(id).settings.texts(of: values)
        try await changeDirectory { context in
            for (name, text) in stored where name == "project" && !text.isEmpty { try context.takeProject(text, for: id) }
            try context.keepSettings(stored, of: id)
        }
        return try app(id)
    }

    /// Removes an app with its keys and persons.
    ///
    /// Its events go with the next data retention.
    package func deleteApp(_ id: AppID) async throws {
        _ = try app(id)
        try await changeDirectory { context in
            try context.main.forget(app: id.rawValue)
            try context.main.statement("DELETE FROM apps WHERE id = ?").run(.integer(id.rawValue))
        }
    }

    /// Removes rows of deleted apps from the main file.
    ///
    /// They came from requests that were under way during the deletion.
    package func forgetDeletedApps() async throws {
        try await change { context in
            let left = try context.main.apps(in: MainDB.tablesOfApps).subtracting(context.main.existingApps())
            for app in left { try context.main.forget(app: app) }
        }
    }

    package func app(_ id: AppID) throws -> App {
        guard let app = directory.now.apps[id] else {
            throw Refusal(.notFound, "There is no app \(id.rawValue).", hint: "`ingestd app list` lists all apps.")
        }
        return app
    }
}

extension MainDB {
    fileprivate static let tablesOfApps = [
        "keys", "app_settings", "saved_definitions", "people", "last_seen", "properties", "aliases", "history", "people_counts", "departures",
        "blocked", "app_uses",
    ]

    fileprivate func forget(app: Int64) throws {
        for table in MainDB.tablesOfApps { try statement("DELETE FROM \(table) WHERE app = ?").run(.integer(app)) }
    }
}

extension ChangeContext {
    func insertApp(named name: String) throws -> AppID {
        try App.rejectTaken(name, in: main, except: nil)
        try main.statement("INSERT INTO apps (name, created) VALUES (?, ?)").run(.text(name), .integer(now.milliseconds))
        return AppID(rawValue: main.lastInsertedRow)
    }

    /// Records a project ID for an app. Throws if it is or was another app's, or another app's name.
    fileprivate func takeProject(_ project: String, for app: AppID) throws {
        let owner = try main.statement("SELECT app FROM projects WHERE project = ? UNION SELECT id FROM apps WHERE name = ?")
        let owners = try owner.all(.text(project), .text(project)) { $0.integer(0) }
        guard owners.allSatisfy({ $0 == app.rawValue }) else {
            throw Refusal(
                .conflict, "The project «\(project)» belongs to another app, or did.", hint: "Choose another project ID.",
                fields: [.init("project", "taken", "is or was the project or the name of another app")])
        }
        try main.statement("INSERT OR IGNORE INTO projects (project, app, since) VALUES (?, ?, ?)").run(
            .text(project), .integer(app.rawValue), .integer(now.milliseconds))
    }

    func keepSettings(_ settings: [(name: String, text: String)], of app: AppID) throws {
        let upsert = "INSERT INTO app_settings (app, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        for (name, text) in settings {
            try main.statement(upsert).run(.integer(app.rawValue), .text(name), .text(text))
        }
    }
}

extension AppSettings {
    /// Returns changes of settings in their stored form.
    ///
    /// Throws if a value is invalid.
    func texts(of changes: [(name: String, value: String)]) throws -> [(name: String, text: String)] {
        var changed = self
        for (name, value) in changes { try changed.set(name, to: value) }
        try changed.checkQuota(of: changes)
        return changes.compactMap { change in AppSettings.field(named: change.name).map { (change.name, $0.text(in: changed)) } }
    }
}

extension App {
    static func check(_ name: String) throws(Refusal) {
        let fits = (1...64).contains(name.unicodeScalars.count) && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard fits, Int64(name) == nil, name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
            throw Refusal(
                .invalid, "The app name is invalid.", hint: "Use 1 to 64 printable characters that are not just a number.",
                fields: [.init("name", "bad_name", "must have 1 to 64 printable characters and not be a number")])
        }
    }

    fileprivate static func rejectTaken(_ name: String, in main: MainDB, except id: AppID?) throws {
        let owner = try main.statement("SELECT id FROM apps WHERE name = ?").first(.text(name)) { $0.integer(0) }
        guard owner == nil || owner == id?.rawValue else {
            throw Refusal(.conflict, "The app «\(name)» already exists.", hint: "Choose another name.")
        }
        let project = try main.statement("SELECT app FROM projects WHERE project = ?").first(.text(name)) { $0.integer(0) }
        guard project == nil || project == id?.rawValue else {
            throw Refusal(.conflict, "The name «\(name)» is or was the project of another app.", hint: "Choose another name.")
        }
    }
}
