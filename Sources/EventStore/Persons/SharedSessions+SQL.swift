// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Events
import SQLite

extension DayDB {
    /// Returns the sessions of a person's events on devices that are not the person's.
    package func sessionsOnOthersDevices(_ keys: PersonKeys) throws -> Set<DeviceSession> {
        guard try holdsEvents(of: keys) else { return [] }
        var found: Set<DeviceSession> = []
        try source(EventRequest(keys.app, [.keys], where: [.person(keys)]), withdrawn: .included).eachBatch { batch in
            for row in batch.rows where batch.sessions[row] != 0 && !keys.installations.contains(batch.installations[row]) {
                found.insert(DeviceSession(installation: batch.installations[row], session: batch.sessions[row]))
            }
        }
        return found
    }

    /// Returns those of some sessions that events of others belong to.
    package func sessions(among sessions: Set<DeviceSession>, ofOthersThan keys: PersonKeys) throws -> Set<DeviceSession> {
        let known = Set(sessions.map(\.session))
        var found: Set<DeviceSession> = []
        try source(EventRequest(keys.app, [.keys]), withdrawn: .included).eachBatch { batch in
            for row in batch.rows where known.contains(batch.sessions[row]) {
                let (user, installation) = (batch.users[row], batch.installations[row])
                let session = DeviceSession(installation: installation, session: batch.sessions[row])
                if sessions.contains(session), !keys.contains(user: user, installation: installation) { found.insert(session) }
            }
        }
        return found
    }
}
