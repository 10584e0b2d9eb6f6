// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import Database
import EventStore
import Platform
import SQLite

extension Stores {
    /// Returns the keys to remove: the person, those stored by an interrupted attempt, and for a user the installations that never named
    /// another user.
    ///
    /// Events of such installations without a user are the user's own.
    func removal(of id: PersonID, from app: AppID, _ kind: PersonRemoval.Kind) async throws -> PersonRemoval {
        let hash = events.hash
        return try await readers.read(.large, seconds: 60) { session in
            let key = id.key(in: app, hash)
            var removal = PersonRemoval(app: app, person: key, kind: kind, keys: PersonKeys(app: app), members: [])
            removal.add(.init(key: key, kind: id.kind, id: id.text))
            let unfinished = try session.withMain { try $0.unfinishedRemoval(of: key, app: app) }
            for member in unfinished.members { removal.add(member) }
            if let salt = unfinished.salt, case .anonymity(_, let params) = kind { removal.kind = .anonymity(salt: salt, privateParams: params) }
            if id.kind == .installation { return removal }
            let own = try session.installations(ofNobodyBut: key, app: app)
            let texts = try session.texts(of: own, app: app)
            for installation in own { removal.add(.init(key: installation, kind: .installation, id: texts[installation] ?? "")) }
            return removal
        }
    }
}

extension ReadSession {
    fileprivate func installations(ofNobodyBut user: UInt64, app: AppID) throws -> Set<UInt64> {
        let named = try PersonPresence(of: PersonKeys(app: app, user: user), self).pairs.keys.map(\.installation).filter { $0 != 0 }
        let crashed = try withCrashes { try $0.installations(of: user, app: app) }
        let installations = try withMain { try $0.aliases(of: .user, user, app: app) }.union(named).union(crashed)
        if installations.isEmpty { return [] }
        let pairs = try PersonPresence(of: PersonKeys(app: app, installations: installations), self).pairs.keys
        var shared = Set(pairs.filter { $0.user != 0 && $0.user != user }.map(\.installation))
        try withMain { main in
            let sql = "SELECT installation FROM aliases WHERE app = ? AND user != ? AND installation IN \(installations.list)"
            try main.uncached(sql).each([.integer(app.rawValue), .key(user)]) { shared.insert($0.key(0)) }
        }
        shared.formUnion(try withCrashes { try $0.installations(installations, ofOthersThan: user, app: app) })
        return installations.subtracting(shared)
    }
}

extension MainDB {
    /// Returns the keys and the salt that an interrupted attempt stored.
    fileprivate func unfinishedRemoval(of person: UInt64, app: AppID) throws -> (members: [PersonRemoval.Member], salt: UInt64?) {
        var salt: UInt64?
        let rows = try statement("SELECT key, kind, id, salt FROM departures WHERE app = ? AND person = ?").all(.integer(app.rawValue), .key(person))
        {
            if $0.key(3) != 0 { salt = $0.key(3) }
            return ($0.key(0), $0.integer(1), $0.text(2))
        }
        return (rows.map { PersonRemoval.Member(key: $0, kind: $1 == IDRows.Kind.user.rawValue ? .user : .installation, id: $2) }, salt)
    }
}
