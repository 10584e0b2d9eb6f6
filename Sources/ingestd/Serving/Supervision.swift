// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Platform

/// Reports to the service manager: the status, and with a watchdog that event loops and writers make progress.
struct Supervision {
    let manager: ServiceManager
    let server: ServerHandle
    let store: Stores
    let readiness: Readiness
    let drain: DrainState

    /// A hanging part suppresses the watchdog message, and the manager acts as its unit says.
    func run() async {
        guard manager.isThere else { return }
        let pause = manager.watch.map { $0 / 2 } ?? .seconds(10)
        while (try? await Task.sleep(for: pause)) != nil {
            if manager.watch != nil, await makesProgress() { manager.notify(.alive) }
            if !drain.hasBegun { manager.notify(.status(status)) }
        }
    }

    /// Whether event loops and writers make progress. A hanging part delays the result, or makes it false.
    private func makesProgress() async -> Bool {
        let loopsIterate = server.hasIterated ?? drain.hasBegun
        await store.writersRespond()
        return loopsIterate
    }

    private var status: String {
        let troubles = readiness.reasons
        return "Serving on \(server.address)" + (troubles.isEmpty ? "" : "; not ready: \(troubles.joined(separator: ", "))")
    }
}
