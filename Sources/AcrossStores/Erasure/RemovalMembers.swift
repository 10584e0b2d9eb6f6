// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import Database
import EventStore
import Platform

extension Stores {
    /// Returns the keys to remove: the person, those stored by an interrupted attempt, and for a user the installations that never named
    /// another user.
    ///
    /// Events of such installations without a user are the user's own.
    ///
    /// - Parameter withInstallations: False for the data of a deleted account. Its installations are not proved to be its own.
    func removal(
        of id: PersonID, from app: AppID, _ kind: PersonRemoval.Kind, withInstallations: Bool = true
    ) async throws -> PersonRemoval {
        let hash = events.hash
        return try await readers.read(.large, seconds: 60) { session in
            let key = id.key(in: app, hash)
            var removal = PersonRemoval(app: app, person: key, kind: kind, keys: PersonKeys(app: app), members: [])
            removal.add(.init(key: key, kind: id.kind, id: id.text))
            let unfinished = try session.withMain { try $0.unfinishedRemoval(of: key, app: app) }
            for member in unfinished.members { removal.add(member) }
            if let salt = unfinished.salt, case .anonymity(_, let params) = kind { removal.kind = .anonymity(salt: salt, privateParams: params) }
            if id.kind == .installation || !withInstallations { return removal }
            let own = try session.installations(ofNobodyBut: key, app: app)
            let texts = try session.texts(of: own, app: app)
            for installation in own { removal.add(.init(key: installation, kind: .installation, id: texts[installation] ?? "")) }
            if case .anonymity = kind { removal.sharedSessions = try session.sharedSessions(removal.keys) }
            return removal
        }
    }
}

extension ReadSession {
    /// Returns the installations that no other user was seen with: not as an alias, in events, or in crash reports.
    ///
    /// The files are asked one after the other and the sets joined here. A statement over attached files would belong to no store, and each
    /// set is small.
    fileprivate func installations(ofNobodyBut user: UInt64, app: AppID) throws -> Set<UInt64> {
        let named = try PersonPresence(of: PersonKeys(app: app, user: user), self).pairs.keys.map(\.installation).filter { $0 != 0 }
        let crashed = try withCrashes { try $0.installations(of: user, app: app) }
        let installations = try withMain { try $0.aliases(of: .user, user, app: app) }.union(named).union(crashed)
        if installations.isEmpty { return [] }
        let pairs = try PersonPresence(of: PersonKeys(app: app, installations: installations), self).pairs.keys
        var shared = Set(pairs.filter { $0.user != 0 && $0.user != user }.map(\.installation))
        shared.formUnion(try withMain { try $0.installations(installations, aliasesOfOthersThan: user, app: app) })
        shared.formUnion(try withCrashes { try $0.installations(installations, ofOthersThan: user, app: app) })
        return installations.subtracting(shared)
    }
}
