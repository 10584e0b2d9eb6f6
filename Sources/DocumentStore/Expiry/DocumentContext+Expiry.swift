// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentContext {
    /// The documents that one transaction deletes, so that writes do not wait for long, and the bytes of their bodies.
    private static let (expiredAtOnce, expiredBytes) = (200, 4 << 20)

    func setExpiry(_ fields: [ExpiryField], app: AppID) throws {
        try file.set(.expiry, ExpiryField.stored(fields), app: app)
        try keep(declared: try file.indexes(of: app).filter { $0.origin == .declared }.map(\.shape), expiry: fields, app: app)
        (expiryByApp, mustExpire) = (nil, true)
    }

    /// Deletes some documents that have expired, in a commit an app. Returns their number.
    func removeExpired() throws -> Int {
        guard let time = DocumentTime(microseconds: now.milliseconds * 1_000) else { return 0 }
        var removed = 0
        for (app, fields) in try expiry() {
            var paths: Set<DocumentPath> = []
            for field in fields where paths.count < Self.expiredAtOnce { paths.formUnion(try expired(field, at: time, app: app)) }
            if paths.isEmpty { continue }
            _ = try commit(DocumentCommit(paths.sorted().map { DocumentWrite($0, .delete) }), app: app)
            removed += paths.count
        }
        return removed
    }

    private func expiry() throws -> [(AppID, [ExpiryField])] {
        if let known = expiryByApp { return known }
        let found = try file.apps(with: .expiry).map { ($0, try file.setting(.expiry, app: $0, bodies).map(ExpiryField.fields) ?? []) }
        expiryByApp = found
        return found
    }

    /// Returns some expired documents, oldest first; none while the index is built.
    private func expired(_ field: ExpiryField, at time: DocumentTime, app: AppID) throws -> [DocumentPath] {
        let view = try DocumentView(file, app: app, bodies, at: nil, now: now)
        let query = field.query(at: time)
        guard let plan = try view.plan(query) else { return [] }
        var (paths, bytes) = ([DocumentPath](), 0)
        for part in plan.parts {
            try file.documents(from: part.lower, to: part.upper, descending: false) { scanned, collection in
                let row = scanned.copy
                let document = try row.document(in: collection, bodies)
                if query.matches(document) {
                    paths.append(document.path)
                    bytes += row.body.count
                }
                return paths.count < Self.expiredAtOnce && bytes < Self.expiredBytes
            }
        }
        return paths
    }
}

extension DocumentDB {
    /// Returns the apps that made a setting.
    func apps(with setting: DocumentSetting) throws -> [AppID] {
        try apps(in: ["settings"]).sorted().map { AppID(rawValue: $0) }.filter { app in
            try statement("SELECT 1 FROM settings WHERE app = ? AND name = ?").first(.integer(app.rawValue), .text(setting.rawValue)) {
                $0.integer(0)
            } != nil
        }
    }
}
