// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON

/// A session as SDKs of apps tell of it: again with each change, under the same id.
///
/// It becomes an event for its start and, once it has ended, one for its end. Their ids are made from the session's, so that each counts once
/// whatever updates come, in whatever order, and if the first one never does.
struct SentrySession {
    let id: String
    /// Whose it is: the SDK's installation, or the user where the SDK knows none.
    let installation: String
    private let started: String?
    private let ended: String?
    private let status: String
    private let errors: Int64
    private let release: String?
    private let environment: String?

    /// Nil for one without an id.
    init?(_ tape: JSONTape) {
        guard let id = tape.shortText("sid", of: 0), id.utf8.count <= 48 else { return nil }
        self.id = id.lowercased()
        // Without anybody whose it is, it is a person of its own.
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
