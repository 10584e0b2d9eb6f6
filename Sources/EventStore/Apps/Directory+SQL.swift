// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform
import SQLite

extension Directory {
    init(_ main: MainDB) throws {
        self.init()
        try main.statement("SELECT id, name, created FROM apps").each([]) { row in
            let id = AppID(rawValue: row.integer(0))
            let created = Timestamp(milliseconds: row.integer(2))
            apps[id] = App(id: id, name: row.text(1), created: created, settings: AppSettings())
        }
        try main.statement("SELECT app, name, value FROM app_settings").each([]) { row in
            try? apps[AppID(rawValue: row.integer(0))]?.settings.set(row.text(1), to: row.text(2))
        }
        try main.statement(
            """
            SELECT hash, id, app, role, label, secret, hint, created, bundle_ids, origins, events_per_minute, public_key, audience, expires, replaces
            FROM keys
            """
        ).each([]) { row in
            guard let key = APIKey(row) else { return }
            keys[row.bytes(0)] = key
            keysByID[key.id] = key
            expiries[key.id] = .some(key.expires)
            if let audience = row.optionalText(12) { accounts[key.id] = ServiceAccount(key: key, publicKey: row.bytes(11), audience: audience) }
        }
        try main.statement("SELECT key FROM blocked").each([]) { blocked.insert($0.key(0)) }
    }
}

extension APIKey {
    init?(_ row: Row) {
        guard let role = Role(rawValue: row.text(3)) else { return nil }
        var restrictions = KeyRestrictions()
        restrictions.bundleIDs = row.text(8).commaSeparated
        restrictions.origins = row.text(9).commaSeparated
        restrictions.eventsPerMinute = row.int(10)
        self.init(
            id: row.integer(1), app: AppID(rawValue: row.integer(2)), role: role, label: row.text(4), secret: row.optionalText(5),
            hint: row.text(6), created: Timestamp(milliseconds: row.integer(7)), restrictions: restrictions,
            expires: row.optionalInteger(13).map { Timestamp(milliseconds: $0) }, replaces: row.optionalInteger(14))
    }
}
