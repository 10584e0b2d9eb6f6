// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Platform
import SQLite

extension ReadSession {
    /// Returns the IDs behind keys of persons: from the main file, or from the days' files for persons that are not folded yet.
    package func texts(of keys: Set<UInt64>, app: AppID) throws -> [UInt64: String] {
        var texts: [UInt64: String] = [:]
        if keys.isEmpty { return texts }
        try withMain { main in
            try main.uncached("SELECT key, id FROM people WHERE app = ? AND key IN \(keys.list) AND id != ''").each([.integer(app.rawValue)]) {
                texts[$0.key(0)] = $0.text(1)
            }
        }
        for day in try days().reversed() where texts.count < keys.count {
            let missing = keys.subtracting(texts.keys)
            if let found = try self.day(day)?.texts(of: missing) { texts.merge(found) { one, _ in one } }
        }
        return texts
    }
}

extension MainDB {
    package func profile(of key: UInt64, app: AppID) throws -> PersonProfile? {
        var profile = PersonProfile()
        let seen = "SELECT first_seen FROM people WHERE app = ? AND key = ?"
        let firstSeen = try statement(seen).first(.integer(app.rawValue), .key(key)) { Timestamp(milliseconds: $0.integer(0)) }
        let read = "SELECT name, value, time FROM properties WHERE app = ? AND person = ? AND value IS NOT NULL ORDER BY name"
        profile.properties = try statement(read).all(.integer(app.rawValue), .key(key)) {
            PersonProfile.Property(name: $0.text(0), value: $0.bytes(1), time: Timestamp(milliseconds: abs($0.integer(2))))
        }
        profile.firstSeen = firstSeen
        return firstSeen == nil && profile.properties.isEmpty ? nil : profile
    }

    package func aliases(of kind: PersonID.Kind, _ key: UInt64, app: AppID) throws -> Set<UInt64> {
        let sql =
            kind == .user
            ? "SELECT installation FROM aliases WHERE app = ? AND user = ?" : "SELECT user FROM aliases WHERE app = ? AND installation = ?"
        return Set(try statement(sql).all(.integer(app.rawValue), .key(key)) { $0.key(0) })
    }

    /// Returns those of some installations that are aliases of another user.
    package func installations(_ installations: Set<UInt64>, aliasesOfOthersThan user: UInt64, app: AppID) throws -> Set<UInt64> {
        let sql = "SELECT installation FROM aliases WHERE app = ? AND user != ? AND installation IN \(installations.list)"
        return Set(try uncached(sql).all(.integer(app.rawValue), .key(user)) { $0.key(0) })
    }
}
