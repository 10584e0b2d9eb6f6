import Delivery
import HTTPServer
import Platform
import Store

extension Daemon {
    /// Does the work behind the answers until the server has drained; then what was taken in is committed, and this ends.
    ///
    /// Deliveries are sent by the daemon that stays, not by one that a command starts for a moment.
    func work(behind server: HTTPServer, sends: Bool = true) async throws {
        let sender = sends ? try Sender(store.messages, SenderOptions(settings), clock: clock, metrics: metrics, log: log) : nil
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.store.run() }
            let symbolicating = Task { await Symbolicating(self).run() }
            group.addTask { await symbolicating.value }
            if let sender { group.addTask { await sender.run() } }
            group.addTask {
                // Once the server has ended nobody can ask any more, and once the sender has, nothing is learned of deliveries.
                defer {
                    symbolicating.cancel()
                    self.store.close()
                }
                async let stopped: Void = self.stopWhenAsked(sender)
                do {
                    try await server.run()
                } catch {
                    self.drain()
                    await stopped
                    throw error
                }
                self.drain()
                await stopped
            }
            try await group.waitForAll()
        }
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
            store?.giveUpQuestions()
        }
    }
}
