// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform

/// A descriptor that a transport waits for, and the events of poll(2).
struct WorkerInterest {
    var descriptor: Int32
    var events: Int16
}

/// An occurrence at a worker.
enum WorkerEvent {
    /// A message of a stream, as a JSON object on one line.
    case message([UInt8])
    /// The end of the call, with an object that has `result` or `error`.
    case ended(CallStatus, [UInt8])
    /// A line for the log, whose request memory was taken when it was read.
    case log(LineLevel, String)
    /// A line for the log for which there was no memory.
    case lineDropped
    /// A process that is none of the program's connected to its port, and was refused.
    case stranger
    /// A breach of the protocol, for this reason. The instance is killed.
    case fault(String)
    /// The program said that it cannot start. The instance is killed.
    case startFailed(String)

    /// Whether the instance is killed.
    var isFatal: Bool {
        switch self {
        case .fault, .startFailed: true
        case .message, .ended, .log, .lineDropped, .stranger: false
        }
    }
}

extension WorkerSurroundings {
    /// Takes the memory of a line for the log, as it is read.
    func logged(_ level: LineLevel, _ text: String) -> WorkerEvent {
        let text = WorkerLogLine.cut(text)
        return takeMemory(WorkerLogLine.bytesCharged(for: text)) ? .log(level, text) : .lineDropped
    }

    /// Takes the memory of lines that are no objects. Empty ones are left out.
    func logged(_ lines: [[UInt8]]) -> [WorkerEvent] {
        lines.filter { !$0.isEmpty }.map { logged(.info, String(decoding: $0, as: UTF8.self)) }
    }
}

/// A way in which calls reach a worker and results come back.
protocol WorkerTransport: AnyObject {
    func interests(at now: ContinuousClock.Instant) -> [WorkerInterest]
    /// The time from which it waits for a descriptor that it left out before.
    var resumesAt: ContinuousClock.Instant? { get }
    /// Whether the program has read nothing of the call under way.
    var callIsUnread: Bool { get }
    /// Whether the thread of the workers has to wait until the program reads more of a call.
    var hasUnsentBytes: Bool { get }
    /// Whether a line has begun that takes long to read.
    var readsLargeLine: Bool { get }
    /// Passes a call to the program, or keeps it until the program asks for it.
    func begin(_ job: WorkerJob) -> [WorkerEvent]
    /// Reads and writes what does not wait.
    func ready(_ descriptor: Int32) -> [WorkerEvent]
    /// Takes bytes of the program's standard output.
    func output(_ bytes: ArraySlice<UInt8>) -> [WorkerEvent]
    /// Asks the program to end.
    func askToEnd(_ process: inout WorkerProcess)
    /// Frees everything, after the end of the process.
    func close()
}
