// SPDX-License-Identifier: Apache-2.0

package import Functions
package import Messaging
package import Platform
import Synchronization

/// A function of an app as it is stored.
package struct StoredFunction: Sendable {
    package var id: Int64
    package var app: AppID
    package var name: String
    package var definition: FunctionDefinition
    /// Signs requests to the function's address.
    package var key: SigningKey
    package var created: Timestamp
    package var updated: Timestamp

    package var hasWorker: Bool {
        if case .worker = definition.target { true } else { false }
    }
}

/// The functions of all apps in memory, as the last commit left them. Calls and triggers look functions up here.
package final class FunctionCatalog: Sendable {
    private let byApp: Mutex<[AppID: [String: StoredFunction]]>
    /// Rises with every change.
    private let changes = Atomic<Int>(0)
    /// The functions with a worker, by number.
    private let workers: Mutex<[Int64: StoredFunction]>

    init(_ functions: [StoredFunction]) {
        byApp = Mutex(Dictionary(grouping: functions, by: \.app).mapValues { Dictionary(uniqueKeysWithValues: $0.map { ($0.name, $0) }) })
        workers = Mutex(Dictionary(uniqueKeysWithValues: functions.filter(\.hasWorker).map { ($0.id, $0) }))
    }

    /// Returns a function with a worker by its number.
    package func functionWithWorker(_ id: Int64) -> StoredFunction? { workers.withLock { $0[id] } }

    package func function(_ name: String, app: AppID) -> StoredFunction? { byApp.withLock { $0[app]?[name] } }

    /// Returns the functions of an app in the order of their names.
    package func functions(of app: AppID) -> [StoredFunction] {
        byApp.withLock { $0[app] }.map { $0.values.sorted { $0.name < $1.name } } ?? []
    }

    /// Whether a function of an app wants to know who was deleted.
    package func hasTriggerOnDeletedUsers(_ app: AppID) -> Bool {
        byApp.withLock { $0[app]?.values.contains { $0.definition.triggers.contains(.user(.deleted)) } ?? false }
    }

    /// A number that differs after every change.
    package var version: Int { changes.load(ordering: .acquiring) }

    package var apps: [AppID] { byApp.withLock { $0.keys.sorted { $0.rawValue < $1.rawValue } } }

    func put(_ function: StoredFunction) {
        byApp.withLock { $0[function.app, default: [:]][function.name] = function }
        workers.withLock { $0[function.id] = function.hasWorker ? function : nil }
        didChange()
    }

    func remove(_ name: String, app: AppID) {
        workers.withLock { workers in workers = workers.filter { $1.app != app || $1.name != name } }
        byApp.withLock { byApp in
            byApp[app]?[name] = nil
            if byApp[app]?.isEmpty == true { byApp[app] = nil }
        }
        didChange()
    }

    func remove(app: AppID) {
        workers.withLock { workers in workers = workers.filter { $1.app != app } }
        byApp.withLock { $0[app] = nil }
        didChange()
    }

    private func didChange() { changes.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
