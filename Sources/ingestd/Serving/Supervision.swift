// SPDX-License-Identifier: Apache-2.0

import Platform

/// Reports to the service manager: the status, and with a watchdog that event loops and writers make progress.
struct Supervision {
    private let daemon: Daemon
    private let manager: ServiceManager

    init(_ daemon: Daemon, _ manager: ServiceManager) {
        self.daemon = daemon
        self.manager = manager
    }

    /// A hanging part suppresses the watchdog message, and the manager acts as its unit says.
    func run() async {
        guard manager.isThere else { return }
        let pause = manager.watch.map { $0 / 2 } ?? .seconds(10)
        while (try? await Task.sleep(for: pause)) != nil {
            if manager.watch != nil, await daemon.isAtWork() { manager.tell(.alive) }
            if !daemon.drain.hasBegun { manager.tell(.status(status)) }
        }
    }

    private var status: String {
        let troubles = daemon.readiness.reasons
        return "Serving on \(daemon.server.address)" + (troubles.isEmpty ? "" : "; not ready: \(troubles.joined(separator: ", "))")
    }
}
