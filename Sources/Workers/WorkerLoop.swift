// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import JSON
import Synchronization

/// The thread of all workers: it waits for their descriptors, new calls and the next deadline.
///
/// Loops of clients take turns with it. A loop passes a call to an idle instance and reads the answer by itself, so that neither has to change
/// threads; all else is the thread's. A loop never waits for the table: while another thread has it, the call goes to the thread.
final class WorkerLoop: Sendable {
    private let inbox: WorkerInbox
    private let table: Mutex<WorkerTable>

    init(_ surroundings: WorkerSurroundings, _ parser: JSONParser, _ inbox: WorkerInbox, _ figures: WorkerFigures) {
        self.inbox = inbox
        table = Mutex(WorkerTable(surroundings, parser, figures))
    }

    func run() {
        while true {
            let mail = inbox.take()
            guard var wait = table.withLock({ $0.beginTurn(mail) }) else { return }
            for call in wait.ended { call.finish() }
            if wait.run(inbox.descriptor) { inbox.clear() }
            let ended = table.withLock { [wait] in $0.endTurn(wait) }
            for call in ended { call.finish() }
        }
    }

    /// Begins a call on the thread of its client's loop. Returns false if the thread of the workers has to begin it.
    func begin(_ job: WorkerJob, from reader: WorkerReader) -> Bool {
        guard let turn = table.withLockIfAvailable({ $0.begin(job, from: reader) }) ?? nil else { return false }
        // The reader is told first: it gives the output back if the system has no room for it.
        if let lease = turn.lease { reader.read(lease) }
        finish(turn)
        return true
    }

    /// Reads the output of an instance on the thread of the loop that has it. Returns whether the loop keeps it; nil if another thread has the table.
    func read(_ lease: WorkerLease) -> Bool? {
        guard let turn = table.withLockIfAvailable({ $0.read(lease) }) else { return nil }
        finish(turn)
        return turn.lease != nil
    }

    /// Does what a loop must not do while it has the table.
    private func finish(_ turn: LoopTurn) {
        for call in turn.ended { call.finish() }
        if turn.wakesThread { inbox.wake() }
    }

    /// Lets the thread read an output that a loop no longer reads.
    func giveBack(_ lease: WorkerLease) { inbox.giveBack(lease) }
}
