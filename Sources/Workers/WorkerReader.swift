// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The right of a loop to read the output of an instance, which the thread of the workers leaves alone meanwhile.
struct WorkerLease: Sendable {
    let id: Int
    /// The number of the instance.
    let instance: Int
    /// A duplicate of the instance's descriptor, which the loop closes.
    let descriptor: Int32
    let reader: WorkerReader
}

/// The result of a loop's turn with the table of workers.
struct LoopTurn: Sendable {
    /// The lease that is new, or that the loop keeps.
    var lease: WorkerLease?
    /// Whether the thread waits for what has changed.
    var wakesThread = false
    var ended: [EndedCall] = []
}

/// Reads the outputs of instances on the loop of the clients whose calls they carry out.
///
/// `@unchecked Sendable`: only the loop's thread uses it; `end` posts to the loop.
final class WorkerReader: @unchecked Sendable {
    /// The time after which an output without bytes goes back to the thread of the workers, so that a loop without requests may sleep.
    private static let longestSilence = Duration.seconds(4)
    /// The turns for which an output is tried again while another thread has the table, most of the time for microseconds.
    private static let mostMisses = 64

    private unowned let loop: any SocketLoop
    private let handle: SocketLoopHandle
    private let workers: WorkerLoop
    /// By the number of the lease.
    private var outputs: [Int: WorkerOutput] = [:]

    /// Creates the reader of a loop, on its thread.
    init(_ loop: any SocketLoop, _ handle: SocketLoopHandle, _ workers: WorkerLoop) {
        (self.loop, self.handle, self.workers) = (loop, handle, workers)
        WorkerDesk.blockBrokenPipes()
    }

    /// Begins a call, if an idle instance can take it at once.
    func begin(_ job: WorkerJob) -> Bool { workers.begin(job, from: self) }

    /// Begins to read an output.
    func read(_ lease: WorkerLease) {
        let output = WorkerOutput(lease, self)
        outputs[lease.id] = output
        if !loop.watch(lease.descriptor, for: output) { giveBack(output) }
    }

    /// Ends a lease, from any thread.
    func end(_ lease: Int) {
        handle.run { [self] _ in if let output = outputs[lease] { close(output) } }
    }

    fileprivate func isReady(_ output: WorkerOutput) {
        guard let keeps = workers.read(output.lease) else {
            output.misses += 1
            if output.misses >= WorkerReader.mostMisses { giveBack(output) }
            return
        }
        (output.misses, output.lastRead) = (0, .now)
        if !keeps { close(output) }
    }

    fileprivate func timePassed(_ output: WorkerOutput) {
        if .now - output.lastRead > WorkerReader.longestSilence { giveBack(output) }
    }

    fileprivate func giveBack(_ output: WorkerOutput) {
        close(output)
        workers.giveBack(output.lease)
    }

    private func close(_ output: WorkerOutput) {
        guard outputs.removeValue(forKey: output.lease.id) != nil else { return }
        loop.unwatch(output.lease.descriptor)
        Glibc.close(output.lease.descriptor)
    }
}

/// The output of an instance, as a loop watches it.
private final class WorkerOutput: ExternalSocket {
    let lease: WorkerLease
    /// The turns since it became readable in which another thread had the table.
    var misses = 0
    var lastRead = ContinuousClock.now
    private let reader: WorkerReader

    init(_ lease: WorkerLease, _ reader: WorkerReader) {
        (self.lease, self.reader) = (lease, reader)
    }

    func socketIsReady(toRead: Bool, toWrite: Bool) { reader.isReady(self) }
    func timePassed() { reader.timePassed(self) }
    func loopEnds() { reader.giveBack(self) }
}
