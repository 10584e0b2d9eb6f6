// SPDX-License-Identifier: Apache-2.0

import Platform

/// What the service manager hears of a daemon while it serves: how it is and, where the manager keeps watch, that commits and connections go on.
struct Supervision {
    private let daemon: Daemon
    private let manager: ServiceManager

    init(_ daemon: Daemon, _ manager: ServiceManager) {
        self.daemon = daemon
        self.manager = manager
    }

    /// A part that hangs keeps this from saying that all is well, and the manager does what it was told to do then.
    func run() async {
        guard manager.isThere else { return }
        let pause = manager.watch.map { $0 / 2 } ?? .seconds(10)
        while (try? await Task.sleep(for: pause)) != nil {
            if manager.watch != nil, await daemon.isAtWork() { manager.tell(.alive) }
            if !daemon.isDraining { manager.tell(.status(status)) }
        }
    }

    private var status: String {
        let troubles = daemon.troubles()
        return "Serving on \(daemon.address)" + (troubles.isEmpty ? "" : "; not ready: \(troubles.joined(separator: ", "))")
    }
}
