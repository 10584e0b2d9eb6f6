// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Functions
import Platform
import Terminal

extension RunState {
    var style: Style {
        switch self {
        case .waiting: Theme.faint
        case .running: Theme.bars
        case .retrying: Theme.warning
        case .done: Theme.good
        case .dead: Theme.bad
        case .cancelled: Theme.faint
        }
    }
}

extension Named<RunState> {
    var style: Style { word?.style ?? .plain }
}

extension RunResponse {
    private static let retried: [RunState] = [.dead, .retrying]

    /// The thing that the run is about: its subject, or the task's ID.
    var about: String { subject ?? task ?? "" }

    /// Carries the run out again.
    func retry(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotRun { return .unavailable(why) }
        guard RunResponse.retried.contains(where: { state == .known($0) }) else {
            return .unavailable("A \(state.name) run cannot be retried; dead and retrying ones can.")
        }
        return .confirm(
            PendingAction(confirmation: "Retry the \(state.name) run \(id) of \(function) now?", path: "/v1/runs/\(id.percentEncoded)/retry") {
                (retried: RunResponse) in "Retrying: the run is \(retried.state)."
            })
    }
}

extension PaneView {
    /// Why the key may not retry runs; nil if it may, or the role is unknown.
    var whyNotRun: String? {
        guard let role, role != .send, role != .admin else { return nil }
        return "A key with the role \(role.rawValue) cannot retry runs. Log in with a send or admin key."
    }
}

extension PaneKey {
    /// The key that retries a run.
    static func retry(_ run: @escaping @Sendable (Owner, PaneView) -> RunResponse?) -> PaneKey {
        PaneKey("R", "retry", "Retries the run; asks first.", when: { run($0, $1) != nil }) { run($0, $1)?.retry($1) }
    }
}
