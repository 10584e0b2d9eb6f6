// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

@testable import Panes
@testable import dashboard_cli

/// Hand-written stream records up to `SampleResponses.now`, some with hostile texts.
enum SampleStream {
    static func event(_ seq: Int, _ name: String, _ ago: Double, _ more: String = "") -> StreamEvent {
        let time = (SampleResponses.now - .init(milliseconds: Int64(ago * 1_000))).rfc3339
        let data = #"{"seq":\#(seq),"id":"e\#(seq)","name":"\#(name)","timestamp":"\#(time)","received_at":"\#(time)"\#(more)}"#
        return StreamEvent(id: String(seq), name: "event", data: data)
    }

    static let all: [StreamEvent] = {
        let person = #","user_id":"ann","installation_id":"my-phone","session_id":"s1""#
        let context = #","context":{"platform":"ios","app_version":"2.1.0","country":"DE"}"#
        let opened = (0..<12).map { event(48_300 + $0, "session_start", 40 - Double($0) * 3, #","installation_id":"phone-\#($0)""# + context) }
        let bought =
            #","params":{"value":19.99,"currency":"EUR","items":[{"item_id":"sku_7","note":"böse\u001b[31m  日本"}]},"flags":["late","corrected"]"#
        return [event(48_299, "first_open", 90_000, person)] + opened + [
            .init(id: "48311", name: "gap", data: #"{"missed":412,"after":48330}"#),
            event(48_331, "screen_view", 5, person + #","params":{"screen_name":"Größen 👟"}"# + context),
            event(48_332, "purchase", 4.5, person + bought + context),
            .init(
                id: "48333", name: "quarantine",
                data:
                    #"{"seq":48333,"received_at":"2026-11-21T11:28:17Z","reason":"bad_event_name","field":"name","message":"must begin with a letter"}"#
            ),
            .init(
                id: "48333", name: "crash",
                data:
                    #"{"id":"c-1","issue":"\#(SampleCrashes.id)","kind":"fatal","title":"EXC_BAD_ACCESS","culprit":"Cart.checkout","timestamp":"2026-11-21T11:28:18Z","release":"2.1.0","user_id":"bea"}"#
            ),
            event(48_334, "scroll", 1, person),
        ]
    }()
}

extension Dashboard {
    /// A dashboard in the live pane that has received these records.
    static func live(
        _ keys: [Key] = [], _ size: Size = Size(80, 24), events: [StreamEvent] = SampleStream.all,
        answers: [String: String] = SampleCrashes.all()
    ) throws -> Dashboard {
        var dashboard = try Dashboard.sample(at: "live", [], size, answers: answers)
        dashboard.tell(events)
        for key in keys { try dashboard.press(key, answers) }
        return dashboard
    }

    mutating func tell(_ events: [StreamEvent], dropped: Int = 0) {
        if let request = tail.request { _ = handle(.streamed(request, events, dropped: dropped)) }
    }
}
