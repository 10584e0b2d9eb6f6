// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite
import Synchronization

/// Every app and key and who is kept out, as of the last change: small, and asked for with each request.
package struct Directory: Sendable {
    package var apps: [AppID: App] = [:]
    /// By the SHA-256 of the key.
    package var keys: [[UInt8]: APIKey] = [:]
    /// Their numbers, by which somebody who was let in is known to be let in still.
    package private(set) var keyIDs: Set<Int64> = []
    /// Keys that are service accounts, by their number.
    package var accounts: [Int64: ServiceAccount] = [:]
    /// Keys of users and installations of whom nothing is taken in.
    package var blocked: Set<UInt64> = []

    package init() {}

    /// The app of an id or a name, as it stands in a path.
    package func app(named text: String) -> App? {
        if let number = Int64(text), let app = apps[AppID(rawValue: number)] { return app }
        return apps.values.first { $0.isNamed(text) }
    }
}

extension App {
    /// As the file compares names, so that no two apps answer to one: byte by byte, but for the case of ASCII letters.
    fileprivate func isNamed(_ text: String) -> Bool {
        name.utf8.lazy.map(\.lowerCase).elementsEqual(text.utf8.lazy.map(\.lowerCase))
    }
}

extension UInt8 {
    fileprivate var lowerCase: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}

/// The directory as the writer last left it.
package final class DirectoryCache: Sendable {
    private let directory = Mutex(Directory())

    package var now: Directory { directory.withLock { $0 } }

    func replace(with new: Directory) {
        directory.withLock { $0 = new }
    }
}

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
            "SELECT hash, id, app, role, label, secret, hint, created, bundle_ids, origins, events_per_minute, public_key, audience FROM keys"
        ).each([]) { row in
            guard let key = APIKey(row) else { return }
            keys[row.bytes(0)] = key
            keyIDs.insert(key.id)
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
            hint: row.text(6), created: Timestamp(milliseconds: row.integer(7)), restrictions: restrictions)
    }
}
