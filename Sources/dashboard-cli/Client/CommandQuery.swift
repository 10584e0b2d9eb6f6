// SPDX-License-Identifier: Apache-2.0

import Events
import Panes

/// A query of the command line.
struct CommandQuery: Sendable {
    enum Request: Sendable {
        case get(ReadRequest)
        case post(String, [UInt8])
    }

    let name: String
    let request: Request
    /// The hint for an empty result.
    let hint: String

    init(_ name: String, _ request: Request, hint: String) {
        (self.name, self.request, self.hint) = (name, request, hint)
    }
}

extension QueryName {
    var hintWhereEmpty: String {
        switch self {
        case .realtime: "Send events to POST /v1/events, such as those of `dashboard-cli demo`."
        case .series, .top, .sessions, .crashFree: "Send events to POST /v1/events, or choose a longer range with --from -30d."
        case .activeUsers, .retention, .lifecycle: "Send events with a user_id or an installation_id, or choose a longer range with --from -30d."
        case .funnel: "No one completed the first step; `dashboard-cli query top` lists the events."
        case .revenue: "Send the event purchase with params.value and params.currency, or choose a longer range with --from -30d."
        }
    }
}
