// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

extension LiveAnalytics {
    /// Updates the notes and the handler's copy of them. Does nothing while collection is disabled.
    func note(_ change: (inout CrashNotes, CrashCapture) -> Void) {
        state.withLock { state in
            if state.installation.isCollectionEnabled { change(&state.notes, capture) }
        }
    }

    /// Queues a report with its common fields. The user ID is that of `Crashes`, else that of `Analytics`.
    func report(_ fields: (inout JSONText, CrashNotes) -> Void) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            var json = JSONText(appendingTo: Frame.open(.crash))
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

    /// Passes this launch's app fields to the handler. The report is sent by a later launch, which may be another version.
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
