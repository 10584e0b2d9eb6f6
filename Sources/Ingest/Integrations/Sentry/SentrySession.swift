// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON

/// A session of an app's SDK. The SDK sends it again with each change under the same ID.
///
/// It becomes an event for its start and, once it has ended, another for its end. Their IDs derive from the session's, so each counts once
/// in any order of updates, even if the first never arrives.
///
///     {"sid": "5f…", "init": true, "status": "ok"}            →  session_start with an ID derived from `5f…`
///     {"sid": "5f…", "status": "exited", "duration": 61}      →  the same session_start (a duplicate) and an end
struct SentrySession {
    let id: String
    /// The SDK's installation ID, or the user if there is none.
    let installation: String
    private let started: String?
    private let ended: String?
    private let status: String
    private let errors: Int64
    private let release: String?
    private let environment: String?

    /// Returns nil for a session without an ID.
    init?(_ tape: JSONTape) {
        guard let id = tape.shortText("sid", of: 0), id.utf8.count <= 48 else { return nil }
        self.id = id.lowercased()
        // A session without a user counts as a user of its own.
        installation = tape.shortText("did", of: 0) ?? self.id
        let last = tape.moment("timestamp", of: 0)
        started = tape.moment("started", of: 0) ?? last
        ended = last ?? started
        status = tape.value("status", of: 0).flatMap { tape.text(tape[$0]) } ?? "ok"
        errors = tape.value("errors", of: 0).flatMap { tape[$0].integer } ?? 0
        let attributes = tape.value("attrs", of: 0) ?? 0
        release = tape.shortText("release", of: attributes)
        environment = tape.shortText("environment", of: attributes)
    }

    var hasEnded: Bool { ["exited", "crashed", "abnormal", "errored", "unhandled"].contains(status) }

    func writeStart(to json: inout TapeWriter) {
        json.beginObject()
        write("session_start", id: "session:\(id)", at: started, to: &json)
        json.endObject()
    }

    func writeEnd(to json: inout TapeWriter) {
        json.beginObject()
        write(status == "crashed" ? "session_crash" : "session_end", id: "session-end:\(id)", at: ended, to: &json)
        json.key("params")
        json.beginObject()
        json.field("status", status)
        json.field("errors", errors)
        json.endObject()
        json.endObject()
    }

    private func write(_ name: String, id: String, at time: String?, to json: inout TapeWriter) {
        json.field("id", id)
        json.field("name", name)
        if let time { json.field("timestamp", time) }
        json.field("installation_id", installation)
        json.field("session_id", self.id)
        json.key("context")
        json.beginObject()
        if let version = ReleaseKey.of(release: release, appVersion: nil) { json.field("app_version", version) }
        if let build = release.flatMap({ ReleaseKey.build(of: $0) }) { json.field("build", build) }
        json.field("environment", environment ?? "production")
        json.endObject()
    }
}
