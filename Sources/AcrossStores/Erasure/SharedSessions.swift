// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Analytics
import CrashStore
import Database
import EventStore
import Platform

extension ReadSession {
    /// Returns the sessions of a user on devices of others in which somebody else took part, in events or in fatal crash reports.
    ///
    /// Of an interrupted anonymisation, the events that are done count as those of somebody else, so the next attempt finds the same sessions.
    func sharedSessions(_ keys: PersonKeys) throws -> Set<DeviceSession> {
        let hers = try sessionsOnOthersDevices(keys)
        if hers.isEmpty { return [] }
        var shared: Set<DeviceSession> = []
        for day in try days() {
            guard let file = try self.day(day) else { continue }
            shared.formUnion(try file.sessions(among: hers, ofOthersThan: keys))
        }
        try withCrashes { file in
            try file.eachFatalMark(app: keys.app, from: Timestamp(milliseconds: .min), to: Timestamp(milliseconds: .max)) { mark in
                let session = DeviceSession(installation: mark.installation, session: mark.session)
                if hers.contains(session), !keys.contains(user: mark.user, installation: mark.installation) { shared.insert(session) }
            }
        }
        return shared
    }

    private func sessionsOnOthersDevices(_ keys: PersonKeys) throws -> Set<DeviceSession> {
        var hers: Set<DeviceSession> = []
        for day in try days() {
            guard let file = try self.day(day) else { continue }
            hers.formUnion(try file.sessionsOnOthersDevices(keys))
        }
        try withCrashes { file in
            try file.eachFatalMark(app: keys.app, from: Timestamp(milliseconds: .min), to: Timestamp(milliseconds: .max)) { mark in
                guard keys.contains(user: mark.user, installation: mark.installation) else { return }
                hers.insert(DeviceSession(installation: mark.installation, session: mark.session))
            }
        }
        return hers.filter { $0.session != 0 && $0.installation != 0 && !keys.installations.contains($0.installation) }
    }
}
