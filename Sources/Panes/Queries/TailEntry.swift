// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform

/// One thing that a stream told, as it came and as a line says it.
package struct TailEntry: Sendable {
    /// The same whenever it is told.
    package let id: String
    package let kind: String
    package let data: JSONValue
    package let line: TailLine
    /// When the daemon took it in, as far as it says.
    package let received: Timestamp?

    /// Nil for what is no JSON; `place` tells apart what has no number of its own.
    package init?(_ event: StreamEvent, place: Int) {
        guard let data = try? JSONValue(Array(event.data.utf8)) else { return nil }
        (kind, self.data) = (event.name, data)
        id = data["seq"]?.text ?? data["id"].map { "\(event.name) \($0.text)" } ?? "\(event.name) \(place)"
        line = TailLine(event.name, data)
        received = data.time("received_at")
    }

    /// How many it says were left out.
    package var missed: Int { kind == "gap" ? Int(data["missed_crashes"]?.text ?? data.text("missed")) ?? 0 : 0 }
}
