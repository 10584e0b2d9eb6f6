// SPDX-License-Identifier: Apache-2.0

import CLinux
import Functions
import Glibc
import HTTPClient
import JSON
import Platform

/// The protocol `lines`: a line of JSON on standard input for each call, and lines on standard output until its end.
///
///     in   {"type":"call","id":"call_1","data":{…},"context":{…},"deadline":"2026-11-27T10:00:00Z"}
///     out  {"id":"call_1","result":{…}}
final class LineTransport: WorkerTransport {
    private let parser: JSONParser
    private let surroundings: WorkerSurroundings
    private let memory: LineMemory
    private let input: Int32
    private var buffer = LineBuffer(limit: WorkerLine.maximumBytes)
    /// The bytes that the program has not read yet.
    private var unsent: [UInt8] = []
    private var sent = 0
    /// The bytes of the call's line in the pipe, read or not.
    private var passed = 0
    /// The ID of the call under way.
    private var id: String?

    init(_ parser: JSONParser, _ surroundings: WorkerSurroundings, input: Int32) {
        (self.parser, self.surroundings, self.input) = (parser, surroundings, input)
        memory = LineMemory(surroundings)
    }

    func interests(at now: ContinuousClock.Instant) -> [WorkerInterest] {
        unsent.isEmpty ? [] : [WorkerInterest(descriptor: input, events: Int16(POLLOUT))]
    }

    var resumesAt: ContinuousClock.Instant? { nil }

    var hasUnsentBytes: Bool { !unsent.isEmpty }

    /// The length from which a line is large.
    private static let largeLine = 64 << 10

    var readsLargeLine: Bool { buffer.count > LineTransport.largeLine }

    var callIsUnread: Bool { id != nil && clinux_unread(input) == passed }

    func begin(_ job: WorkerJob) -> [WorkerEvent] {
        id = job.call.id
        (unsent, sent, passed) = (LineTransport.line(for: job), 0, 0)
        send()
        return []
    }

    func ready(_ descriptor: Int32) -> [WorkerEvent] {
        if descriptor == input { send() }
        return []
    }

    func output(_ bytes: ArraySlice<UInt8>) -> [WorkerEvent] {
        guard let lines = buffer.take(bytes) else { return [.fault("wrote a line of more than \(CallBody.maximumBytes >> 20) MiB")] }
        guard memory.hold(buffer.count) else { return [LineTransport.noMemory, .fault("wrote a line for which there is no memory")] }
        var events: [WorkerEvent] = []
        for line in lines where !line.isEmpty {
            switch WorkerLine(line, id: id, parser) {
            case .log(let level, let text): events.append(surroundings.logged(level, text))
            case .message: events.append(.message(line))
            case .end(let status):
                id = nil
                events.append(unsent.isEmpty ? .ended(status, line) : .fault("answered before it had read the call"))
            case .noMemory: events += [LineTransport.noMemory, .fault("wrote a line for which there is no memory")]
            case .fault(let reason): events.append(.fault(reason))
            }
        }
        return events
    }

    func askToEnd(_ process: inout WorkerProcess) {
        (unsent, sent) = ([], 0)
        process.closeInput()
    }

    func close() {
        _ = memory.hold(0)
    }

    private static let noMemory = WorkerEvent.ended(
        .resourceExhausted, CallError(.resourceExhausted, "The server has no free memory for the result.").json)

    private func send() {
        while sent < unsent.count {
            let count = unsent[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                sent += count
                passed += count
            } else if errno != EINTR {
                // The end of the process tells what else may be wrong.
                if errno != EAGAIN { break }
                return
            }
        }
        (unsent, sent) = ([], 0)
    }

    /// The line for a call: its body on one line, with the deadline and the key.
    static func line(for job: WorkerJob) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("deadline", job.deadlineTime.rfc3339)
        if let token = job.call.token { json.field("token", token) }
        json.endObject()
        // The body is an object that has members, and no bytes after its end.
        return CallStreamReader.withoutLineEnds(job.body.dropLast()) + [UInt8(ascii: ",")] + json.bytes.dropFirst() + [UInt8(ascii: "\n")]
    }
}

/// The request memory that a line takes while it comes.
final class LineMemory {
    /// A line up to this length is not charged; there are few instances.
    private static let free = 64 << 10
    private static let step = 256 << 10

    private let surroundings: WorkerSurroundings
    private var held = 0

    init(_ surroundings: WorkerSurroundings) {
        self.surroundings = surroundings
    }

    /// Holds memory for so many bytes. Returns whether there is enough.
    func hold(_ bytes: Int) -> Bool {
        let wanted = bytes <= LineMemory.free ? 0 : (bytes / LineMemory.step + 1) * LineMemory.step
        if wanted < held { surroundings.giveMemoryBack(held - wanted) }
        if wanted > held, !surroundings.takeMemory(wanted - held) { return false }
        held = wanted
        return true
    }
}
