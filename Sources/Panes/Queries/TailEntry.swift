// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Platform

/// An entry of a stream: its JSON and its line.
package struct TailEntry: Sendable {
    /// Stable when the entry is received again.
    package let id: String
    package let kind: String
    package let data: JSONValue
    package let line: TailLine
    /// When the daemon received it, if it says so.
    package let received: Timestamp?

    /// Nil unless the data is JSON; `place` identifies entries without a number.
    package init?(_ event: StreamEvent, place: Int) {
        guard let data = try? JSONValue(Array(event.data.utf8)) else { return nil }
        (kind, self.data) = (event.name, data)
        id = data["seq"]?.text ?? data["id"].map { "\(event.name) \($0.text)" } ?? "\(event.name) \(place)"
        line = TailLine(event.name, data)
        received = data.time("received_at")
    }

    /// The number of entries that a gap stands for.
    package var missed: Int { kind == "gap" ? Int(data["missed_crashes"]?.text ?? data.text("missed")) ?? 0 : 0 }
}
