// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// One thing that a stream told, as it came and as a line says it.
struct TailEntry: Sendable {
    /// The same whenever it is told.
    let id: String
    let kind: String
    let data: JSONValue
    let line: TailLine
    /// When the daemon took it in, as far as it says.
    let received: Timestamp?

    /// Nil for what is no JSON; `place` tells apart what has no number of its own.
    init?(_ event: ServerSentEvents.Event, place: Int) {
        guard let data = try? JSONValue(Array(event.data.utf8)) else { return nil }
        (kind, self.data) = (event.name, data)
        id = data["seq"]?.text ?? data["id"].map { "\(event.name) \($0.text)" } ?? "\(event.name) \(place)"
        line = TailLine(event.name, data)
        received = data.time("received_at")
    }

    /// How many it says were left out.
    var missed: Int { kind == "gap" ? Int(data["missed_crashes"]?.text ?? data.text("missed")) ?? 0 : 0 }
}
