// SPDX-License-Identifier: Apache-2.0

package import API
import Events
package import JSON
package import Platform

/// An entry of a stream: its data, its JSON and its line.
package struct TailEntry: Sendable {
    /// The data by the name of the event.
    package enum Content: Sendable {
        case event(EventResponse)
        case quarantine(TailQuarantineResponse)
        case crash(TailCrashResponse)
        case gap(TailGapResponse)
        /// An event that a newer daemon added or changed; it is shown as JSON.
        case unknown
    }

    /// Stable when the entry is received again.
    package let id: String
    package let kind: String
    package let content: Content
    /// The data as received: values of the app keep their order and spelling.
    package let json: JSONValue
    package let line: TailLine

    /// Nil unless the data is JSON; `place` identifies entries without a number.
    package init?(_ event: StreamEvent, place: Int = 0) {
        let data = Array(event.data.utf8)
        guard let json = try? JSONValue(data) else { return nil }
        (kind, self.json) = (event.name, json)
        content = (try? Content(named: event.name, data)) ?? .unknown
        switch content {
        case .event(let event): id = String(event.seq)
        case .quarantine(let record): id = String(record.seq)
        case .crash(let crash): id = "crash \(crash.id)"
        case .gap, .unknown: id = "\(event.name) \(place)"
        }
        line = TailLine(kind, content, json)
    }

    /// When the daemon received it, if it says so.
    package var received: Timestamp? {
        switch content {
        case .event(let event): event.receivedAt.time
        case .quarantine(let record): record.receivedAt.time
        case .crash, .gap, .unknown: nil
        }
    }

    /// The number of entries that a gap stands for.
    package var missed: Int {
        if case .gap(let gap) = content { gap.missedCrashes ?? gap.missed ?? 0 } else { 0 }
    }
}

extension TailEntry.Content {
    fileprivate init(named name: String, _ data: [UInt8]) throws(RequestError) {
        switch TailEventName(rawValue: name) {
        case .event: self = .event(try EventResponse(response: data))
        case .quarantine: self = .quarantine(try TailQuarantineResponse(response: data))
        case .crash: self = .crash(try TailCrashResponse(response: data))
        case .gap: self = .gap(try TailGapResponse(response: data))
        case nil: self = .unknown
        }
    }
}
