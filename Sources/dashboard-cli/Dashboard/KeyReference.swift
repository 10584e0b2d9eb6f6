// SPDX-License-Identifier: Apache-2.0

import Panes

/// All keys of the dashboard in sections, for the manual and docs/guides/dashboard.md.
enum KeyReference {
    struct Row: Equatable, Sendable {
        let names: String
        /// The panes that have the key; empty for keys of a whole section.
        let panes: String
        let help: String
    }

    struct Section: Equatable, Sendable {
        let title: String
        let rows: [Row]

        var hasPanes: Bool { rows.contains { !$0.panes.isEmpty } }
    }

    static var sections: [Section] {
        [
            section("Keys of every pane", GlobalKey.all.map(\.binding) + [PendingAction.confirm]),
            section("Keys of lists", KeyBinding.list), section("Keys of panes with a time range", KeyBinding.timeRange),
            Section(title: "Keys of single panes", rows: paneRows),
        ]
    }

    private static func section(_ title: String, _ bindings: [KeyBinding]) -> Section {
        Section(title: title, rows: bindings.map { Row(names: $0.names, panes: "", help: $0.help) })
    }

    /// Rows that several panes share stand once, under the names of them all.
    private static var paneRows: [Row] {
        let shared = Set(KeyBinding.list + KeyBinding.timeRange)
        var bindings: [KeyBinding] = []
        var panes: [KeyBinding: [String]] = [:]
        for pane in PaneList.types where pane != OverviewPane.self {
            for binding in pane.bindings where !shared.contains(binding) {
                if panes[binding] == nil { bindings.append(binding) }
                panes[binding, default: []].append(pane.name)
            }
        }
        return bindings.map { Row(names: $0.names, panes: panes[$0, default: []].joined(separator: ", "), help: $0.help) }
    }
}
