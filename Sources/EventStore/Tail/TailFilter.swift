// SPDX-License-Identifier: Apache-2.0

package import Events
import Platform

/// The filter of a tail.
///
/// An empty field matches everything.
package struct TailFilter: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case events, quarantine, crashes
    }

    /// The kind of records; nil for all.
    package var kind: Kind?
    package var names: [String] = []
    package var user: String?
    package var installation: String?
    /// Conditions on events.
    ///
    /// Conditions on persons' properties are not supported.
    package var conditions: [Filter] = []

    package init() {}

    var wantsQuarantine: Bool { kind == nil || kind == .quarantine }
    var wantsEvents: Bool { kind == nil || kind == .events }
    var wantsCrashes: Bool { kind == nil || kind == .crashes }

    /// Returns whether an event passes, whether it comes from memory or from a file.
    package func shows(_ event: StoredEvent) -> Bool {
        (names.isEmpty || names.contains { $0.hasSameBytes(as: event.name) }) && TailFilter.admits(user, event.user)
            && TailFilter.admits(installation, event.installation) && conditions.allSatisfy { $0.holds(event[$0.path]) }
    }

    func shows(_ crash: TailCrash) -> Bool {
        wantsCrashes && TailFilter.admits(user, crash.user) && TailFilter.admits(installation, crash.installation)
    }

    /// IDs are compared byte by byte, as their keys are.
    private static func admits(_ wanted: String?, _ found: String?) -> Bool {
        wanted.map { found?.hasSameBytes(as: $0) ?? false } ?? true
    }
}

extension StoredEvent {
    /// The text of a field of a condition; nil for properties of persons, which an event does not have.
    fileprivate subscript(path: FieldPath) -> [UInt8]? {
        switch path {
        case .name: Array(name.utf8)
        case .context(let place): context[place].map { Array($0.utf8) }
        case .param(let name): ParamText.value(of: name, in: params)
        case .user, .item, .cohorts, .several: nil
        }
    }
}

/// The part of a filter that compares keys, so most records are rejected before their texts are decoded.
struct TailKeys: Sendable {
    private let names: Set<UInt64>
    private let user: UInt64?
    private let installation: UInt64?

    init(_ filter: TailFilter, app: AppID, _ hash: KeyedHash) {
        func key(_ domain: KeyedHash.Domain, _ text: String) -> UInt64 { hash(domain, app: app, Array(text.utf8).span) }
        names = Set(filter.names.map { key(.name, $0) })
        user = filter.user.map { key(.user, $0) }
        installation = filter.installation.map { key(.installation, $0) }
    }

    func admit(_ record: EventRecord) -> Bool {
        (names.isEmpty || names.contains(record.nameKey)) && (user == nil || record.userKey == user)
            && (installation == nil || record.installationKey == installation)
    }
}
