// SPDX-License-Identifier: Apache-2.0

import Delivery
import HTTPServer
import Platform
import AcrossStores

extension Daemon {
    /// Does the work behind the answers until the server has drained; then what was taken in is committed, and this ends.
    ///
    /// Deliveries are sent by the daemon that stays, not by one that a command starts for a moment.
    func work(behind server: HTTPServer, sends: Bool = true) async throws {
        let sender = sends ? try Sender(store.messages, settings.sender, clock: clock, metrics: metrics, log: log) : nil
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.store.run() }
            let symbolicating = Task { await Symbolicating(self).run() }
            if let sender { group.addTask { await sender.run() } }
            group.addTask {
                defer { self.store.close() }
                let end = await self.serve(server, sender)
                // It gives back the report that it is at.
                symbolicating.cancel()
                await symbolicating.value
                try end.get()
            }
            try await group.waitForAll()
        }
    }

    /// Serves until nobody can ask any more, as the server has ended, and nothing is learned of deliveries, as the sender has.
    private func serve(_ server: HTTPServer, _ sender: Sender?) async -> Result<Void, any Error> {
        async let stopped: Void = stopWhenAsked(sender)
        let end: Result<Void, any Error>
        do { end = .success(try await server.run()) } catch { end = .failure(error) }
        drain()
        await stopped
        return end
    }

    private func stopWhenAsked(_ sender: Sender?) async {
        await drainingIsAsked()
        // As long as receivers are waited for, who comes is told that the daemon ends.
        await sender?.stop()
        closeDoors()
        giveUpQuestionsInTime()
    }

    /// Once the grace is over nobody hears an answer, and a disk or a statement that hangs would hold up the end for good.
    private func giveUpQuestionsInTime() {
        let patience = settings.server.drainGrace + .seconds(2)
        Task { [weak store] in
            try await Task.sleep(for: patience)
            store?.giveUpQueries()
        }
    }
}
