// SPDX-License-Identifier: Apache-2.0

import API
import Panes
import Platform
import Terminal

// Values derived from the state of a dashboard.

extension Dashboard {
    /// The queries to poll now; the main query of the pane comes first.
    var queries: [PolledQuery] {
        let queries = pane.queries(options) + pane.followUps(view)
        let others = [AppResponse.query.polled, SystemResponse.query.polled]
        return queries + others.filter { other in !queries.contains { $0.request == other.request } }
    }

    /// The input of the panes.
    var view: PaneView {
        let app = results.value(AppResponse.query)
        return PaneView(
            results: results, tail: tail, width: size.width, isUnreachable: outage != nil, options: options, now: now,
            zone: app?.zone.flatMap { ZoneOffsets($0) }, role: app?.role?.word)
    }

    /// The stream of the shown pane, or else of the nearest pane below it that has one.
    var wantedStream: ReadRequest? {
        let view = view
        return stacks[paneIndex].panes.reversed().lazy.compactMap { $0.stream(view) }.first
    }

    /// The keys that are available now, in the order of the footer.
    var bindings: [KeyBinding] {
        if prompt != nil { return Prompt.bindings }
        if pendingAction != nil { return PendingAction.bindings + GlobalKey.leaving.map(\.binding) }
        let global = { (keys: [GlobalKey]) in keys.filter { $0.isAvailable(self) }.map(\.binding) }
        return global(GlobalKey.first) + paneBindings + global(GlobalKey.last)
    }

    var paneBindings: [KeyBinding] { pane.bindings(view) }
}

extension AppResponse {
    static let query = DaemonQuery<AppResponse>("app", "/v1/app", every: 60)

    /// The name of the app's time zone.
    var zone: String? {
        if case .text(let name) = settings["tz"] { name } else { nil }
    }
}
