// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import EventStore
import FunctionStore
import Functions
import Platform

/// The sources that triggers read, as the catalog of functions has them.
///
///     f of shop: event purchase; g of shop: event purchase, file users/**   →   shop event: f, g; shop file: g
struct TriggerPlan {
    struct Key: Hashable {
        var app: AppID
        var kind: FunctionTrigger.Kind
    }

    private(set) var sources: [Key: TriggerSource] = [:]
    private var version: Int?
    /// The names of events that the event store watches.
    private var names: [AppID: Set<String>] = [:]

    /// Takes over the catalog and the names that its triggers want, if it has changed. Returns whether it has.
    mutating func renew(from store: Stores) -> Bool {
        let catalog = store.functions.catalog
        // Read before the functions, so that a change meanwhile is seen the next time.
        let current = catalog.version
        guard current != version else { return false }
        version = current
        sources = [:]
        for app in catalog.apps {
            let functions = catalog.functions(of: app)
            for kind in TriggerLags.kinds {
                let source = TriggerSource(kind, functions)
                if !source.functions.isEmpty { sources[Key(app: app, kind: kind)] = source }
            }
        }
        watchNames(in: store.events)
        return true
    }

    /// Whether no function was changed since the plan was renewed.
    func isCurrent(in store: Stores) -> Bool { store.functions.catalog.version == version }

    private mutating func watchNames(in events: EventStore) {
        var wanted: [AppID: Set<String>] = [:]
        for (key, source) in sources where key.kind == .event { wanted[key.app] = Set(source.matches.map(\.name)) }
        for app in Set(names.keys).union(wanted.keys) where names[app] != wanted[app] { events.want(wanted[app] ?? [], of: app) }
        names = wanted
    }
}

/// A source of triggers in an app, and the functions that read it.
struct TriggerSource: Sendable {
    let kind: FunctionTrigger.Kind
    let functions: [StoredFunction]
    /// The triggers for events.
    let matches: [EventMatch]

    init(_ kind: FunctionTrigger.Kind, _ all: [StoredFunction]) {
        let functions = all.filter { $0.definition.reads(kind) }
        (self.kind, self.functions) = (kind, functions)
        matches = kind == .event ? EventMatch.all(functions) : []
    }
}
