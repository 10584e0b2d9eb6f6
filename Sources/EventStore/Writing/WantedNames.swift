// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// The event names that triggers want, and the number through which an app's events must be read for them.
///
/// The writer looks each name of a commit up once, so that triggers read no events that none of them wants:
///
///     want purchase after event 40              read through 40
///     commit 41…90: screen_view                 read through 40: nothing new
///     commit 91…120: screen_view, purchase      read through 120
package final class WantedNames: Sendable {
    private struct State {
        /// The keys of names, which differ between apps.
        var keys: [AppID: Set<UInt64>] = [:]
        var newest: [AppID: Int64] = [:]
        /// The last number of all commits.
        var last: Int64
    }

    private let state: Mutex<State>

    init(after seq: Int64) {
        state = Mutex(State(last: seq))
    }

    /// Sets the names that are wanted of an app; none ends the watch. Events that are stored already may have any of them.
    func want(_ keys: Set<UInt64>, of app: AppID) {
        state.withLock { state in
            state.keys[app] = keys.isEmpty ? nil : keys
            state.newest[app] = keys.isEmpty ? nil : state.last
        }
    }

    /// Returns the number of the last event that may have a wanted name. Only commits that were visible before the call are included.
    func newest(of app: AppID) -> Int64 { state.withLock { $0.newest[app] ?? $0.last } }

    /// Notes the names of a commit; called by the writer before the commit is visible.
    func committed(_ names: [StoredName], through seq: Int64) {
        state.withLock { state in
            state.last = seq
            if state.keys.isEmpty { return }
            for name in names where state.keys[name.app]?.contains(name.key) == true { state.newest[name.app] = seq }
        }
    }
}

/// A name of a commit's events, by key.
struct StoredName {
    var app: AppID
    var key: UInt64
}

extension EventStore {
    /// Sets the names of events that triggers want of an app, in place of earlier ones.
    package func want(_ names: Set<String>, of app: AppID) {
        wantedNames.want(Set(names.map { hash(.name, app: app, Array($0.utf8).span) }), of: app)
    }

    /// Returns the numbers of the last event on the disk, and of the last one that may have a wanted name.
    package func newest(of app: AppID) -> (stored: Int64, wanted: Int64) {
        // In this order, since a commit notes its names before its events are visible.
        let stored = lastSeq
        return (stored, min(stored, wantedNames.newest(of: app)))
    }
}
