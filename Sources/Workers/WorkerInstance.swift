// SPDX-License-Identifier: Apache-2.0

import Functions
import Glibc
import HTTPClient
import Platform

/// One process of a worker, which carries out one call after the other. It belongs to `WorkerTable`.
final class WorkerInstance {
    /// The time between the request to end and the kill.
    private static let grace = Duration.seconds(2)
    /// The bytes that one turn reads of a stream, so that a program that writes without end holds up nobody.
    private static let bytesPerTurn = 1 << 20

    let number: Int
    let function: WorkerFunction
    let scratch: String
    /// Its control group; nil where none is delegated.
    let group: ControlGroup?
    var process: WorkerProcess
    private let transport: any WorkerTransport
    private let surroundings: WorkerSurroundings
    private var complaints = LineBuffer(limit: WorkerLogLine.maximumBytes)
    private(set) var job: WorkerJob?
    private(set) var idleSince = ContinuousClock.now
    /// Whether it takes no further call.
    private(set) var isRetired = false
    /// The time of the kill of an instance that was asked to end.
    private(set) var endsBy: ContinuousClock.Instant?
    /// Whether it has answered a call.
    private var hasAnswered = false
    /// Whether this side killed it, so that its end is no crash.
    private(set) var wasKilled = false
    /// The lease of the loop that reads the output; nil if the thread of the workers does.
    var lease: WorkerLease?
    /// The calls in a row that were begun by loops without the lease.
    private var callsOfOthers = 0
    /// The pieces of output that loops have read since the last result.
    private var piecesWithoutResult = 0

    init(
        _ number: Int, _ function: WorkerFunction, _ process: WorkerProcess, _ transport: any WorkerTransport, scratch: String,
        in group: ControlGroup?, _ surroundings: WorkerSurroundings
    ) {
        (self.number, self.function, self.process, self.transport) = (number, function, process, transport)
        (self.scratch, self.group, self.surroundings) = (scratch, group, surroundings)
    }

    var isIdle: Bool { job == nil && !isRetired }
    /// Whether the process has ended, which the loop may not have noticed yet.
    var hasEnded: Bool {
        var entry = pollfd(fd: process.end, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
    /// Whether its end is expected.
    var isEnding: Bool { wasKilled || endsBy != nil }

    var resumesAt: ContinuousClock.Instant? { transport.resumesAt }

    func interests(at now: ContinuousClock.Instant) -> [WorkerInterest] {
        [process.end, lease == nil ? process.streams.output : -1, process.streams.complaints].filter { $0 >= 0 }.map {
            WorkerInterest(descriptor: $0, events: Int16(POLLIN))
        } + transport.interests(at: now)
    }

    // MARK: Calls

    func begin(_ job: WorkerJob) -> [WorkerEvent] {
        self.job = job
        defer {
            dropReadBody()
            // The program begins meanwhile: a second is left of what it was allowed before.
            process.allow(until: job.deadline)
        }
        return transport.begin(job)
    }

    /// Frees the body of a large call that no other instance will need.
    private func dropReadBody() {
        guard let job, job.body.count > WorkerInstance.mostKept else { return }
        if !hasAnswered || !transport.callIsUnread { self.job?.body = [] }
    }

    /// The size of a body that is kept until the end of its call. A larger one is kept until the program begins to read it.
    private static let mostKept = 60 << 10

    /// Takes the call out, to finish it.
    func takeJob() -> WorkerJob? {
        defer {
            job = nil
            idleSince = .now
            piecesWithoutResult = 0
        }
        return job
    }

    func didAnswer() { hasAnswered = true }

    /// Takes out a call of which a program that ended after an answer has read nothing, to give it to another instance.
    func takeUnreadJob() -> WorkerJob? {
        guard hasAnswered, let job, !job.isOver, !job.body.isEmpty, transport.callIsUnread else { return nil }
        return takeJob()
    }

    func send(message: [UInt8]) { job?.send(message: message) }

    /// Ends a call whose client left; the program goes on with it, and its answer is dropped.
    func abandon() { job?.end(.cancelled) }

    // MARK: Loops

    /// Whether a loop may read its output. A large line, or output without end, would hold up other clients.
    var mayBeLent: Bool {
        process.streams.output >= 0 && !transport.readsLargeLine && piecesWithoutResult < WorkerInstance.mostPieces
    }
    var hasUnsentBytes: Bool { transport.hasUnsentBytes }

    /// The pieces of output that a loop reads before a result.
    private static let mostPieces = 16
    /// The calls in a row after which a loop takes the output from another one.
    private static let callsBeforeMove = 8

    /// Notes that a loop begins a call. Returns whether the loop should read the output from now on.
    func isWanted(by reader: WorkerReader) -> Bool {
        callsOfOthers = lease?.reader === reader ? 0 : callsOfOthers + 1
        return lease == nil || callsOfOthers >= WorkerInstance.callsBeforeMove
    }

    /// Lends the output to a loop; nil if the system has no descriptor for it.
    func lend(to reader: WorkerReader, as id: Int) -> WorkerLease? {
        let copy = fcntl(process.streams.output, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        endLease()
        callsOfOthers = 0
        lease = WorkerLease(id: id, instance: number, descriptor: copy, reader: reader)
        return lease
    }

    private func endLease() {
        if let lease { lease.reader.end(lease.id) }
        lease = nil
    }

    // MARK: Descriptors

    /// Reads and writes what a descriptor is ready for.
    ///
    /// - Parameter room: A buffer for what is read.
    func ready(_ descriptor: Int32, _ room: inout [UInt8]) -> [WorkerEvent] {
        switch descriptor {
        case process.streams.output: read(&process.streams.output, &room) { transport.output($0) }
        case process.streams.complaints: readComplaints(&room, upTo: WorkerInstance.bytesPerTurn)
        default: readyTransport(descriptor)
        }
    }

    /// Reads a piece of the output, as much as the buffer holds.
    func readPiece(_ room: inout [UInt8]) -> [WorkerEvent] {
        piecesWithoutResult += 1
        return read(&process.streams.output, &room, upTo: 1) { transport.output($0) }
    }

    /// Reads standard error: a piece, as much as the buffer holds, unless it is to be more.
    func readComplaints(_ room: inout [UInt8], upTo most: Int = 1) -> [WorkerEvent] {
        read(&process.streams.complaints, &room, upTo: most) { surroundings.logged(complaints.takeCut($0)) }
    }

    private func readyTransport(_ descriptor: Int32) -> [WorkerEvent] {
        defer { dropReadBody() }
        return transport.ready(descriptor)
    }

    /// Reads what the process wrote before its end. An answer comes last, as the rest is about its call.
    func readRest(_ room: inout [UInt8]) -> [WorkerEvent] {
        ready(process.streams.complaints, &room) + surroundings.logged([complaints.takeRest()]) + ready(process.streams.output, &room)
    }

    /// Reads until there is no more, or until so many bytes were read.
    private func read(
        _ descriptor: inout Int32, _ room: inout [UInt8], upTo most: Int = bytesPerTurn, _ take: (ArraySlice<UInt8>) -> [WorkerEvent]
    ) -> [WorkerEvent] {
        guard descriptor >= 0 else { return [] }
        var events: [WorkerEvent] = []
        var left = most
        while left > 0 {
            let count = room.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                events += take(room[..<count])
                left -= count
                // More would have filled the room.
                if count < room.count { break }
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                close(descriptor)
                descriptor = -1
                break
            } else if errno == EAGAIN {
                break
            }
        }
        return events
    }

    // MARK: End

    /// Lets it end after the call under way.
    func retire(at now: ContinuousClock.Instant) {
        isRetired = true
        if job == nil { askToEnd(at: now) }
    }

    /// Asks the program to end. It is killed soon after.
    func askToEnd(at now: ContinuousClock.Instant) {
        guard !isEnding else { return }
        isRetired = true
        endsBy = now + WorkerInstance.grace
        transport.askToEnd(&process)
    }

    /// Notes that the process has ended, so that no call goes to it.
    func willEnd() { isRetired = true }

    func kill() {
        isRetired = true
        wasKilled = true
        process.signal(SIGKILL)
        group?.kill()
    }

    /// Reaps the process after its end. Returns its exit code.
    func end() -> Int32 {
        endLease()
        transport.close()
        return process.reap()
    }
}
