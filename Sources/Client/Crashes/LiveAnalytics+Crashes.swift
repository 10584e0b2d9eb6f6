// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

extension LiveAnalytics {
    /// Changes what goes with a report, here and where the handler looks; both know nothing that was said without consent.
    func note(_ change: (inout CrashNotes, CrashCapture) -> Void) {
        state.withLock { state in
            if state.installation.isCollectionEnabled { change(&state.notes, capture) }
        }
    }

    /// Queues a report with the fields that all have; the user is the one named, else that of the events.
    func report(_ fields: (inout JSONText, CrashNotes) -> Void) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            var json = JSONText(behind: Frame.open(.crash))
            json.object { json in
                json.key("id")
                json.id(milliseconds: now.microseconds / 1_000)
                json.field("timestamp", now.microseconds)
                json.field("user_id", state.notes.userID ?? state.installation.userID)
                json.field("session_id", state.installation.session?.id)
                fields(&json, state.notes)
            }
            outbox.add(json.bytes)
        }
    }

    /// What a report of this start's crash will say of the app, which may be another version when that is sent.
    func startCapture(_ state: State) {
        var json = JSONText()
        json.key("id")
        json.id(milliseconds: options.now().microseconds / 1_000)
        json.fields(state.installation.envelope(options)[...])
        capture.start(app: json.bytes)
        capture.note(CSIGNALBOX_USER, state.installation.userID)
        capture.note(CSIGNALBOX_SESSION, state.installation.session?.id)
    }
}
