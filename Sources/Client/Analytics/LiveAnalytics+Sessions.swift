// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

extension LiveAnalytics {
    /// Reading the ID does not extend the session.
    public var sessionID: String? {
        let now = options.now()
        return state.withLock { state in
            guard var session = state.installation.session, session.extend(to: now, timeout: options.sessionTimeout) else { return nil }
            return session.id
        }
    }

    func becameActive() {
        let now = options.now()
        state.withLock { state in
            state.engagement.begin(at: now)
            if state.installation.isCollectionEnabled { touchSession(&state, now) }
        }
    }

    func resigned() {
        let now = options.now()
        state.withLock { state in
            guard let milliseconds = state.engagement.end(at: now), state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            outbox.add(state.installation.event("user_engagement", ["engagement_time_msec": .integer(milliseconds)], at: now))
        }
    }

    func touchSession(_ state: inout State, _ now: Date) {
        if state.installation.session?.extend(to: now, timeout: options.sessionTimeout) == true { return }
        let session = Session(at: now)
        state.installation.session = session
        capture.note(CSIGNALBOX_SESSION, session.id)
        if !state.installation.hasOpened {
            state.installation.hasOpened = true
            // The record's ID is the installation ID: if the process is killed before `hasOpened` is stored, the daemon counts it once.
            outbox.add(state.installation.event("first_open", id: state.installation.id, at: now))
        }
        outbox.add(state.installation.event("session_start", at: now))
    }
}
