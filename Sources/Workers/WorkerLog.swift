// SPDX-License-Identifier: Apache-2.0

import Functions
import HTTPClient

/// The lines that one turn of the table adds to the logs of functions.
///
///     add(.error, …)    a line of the table's own takes memory, or is dropped
///     keep(.info, …)    a line of a program, whose memory was taken when it was read
///     write()           the end of the turn: all lines go to the store, which gives their memory back
struct WorkerLog {
    /// The most lines of one function in one turn. Further ones are dropped, as are those for which there is no memory.
    private static let linesPerTurn = 1_000

    private let surroundings: WorkerSurroundings
    private var lines: [Int64: WorkerLogLines] = [:]

    init(_ surroundings: WorkerSurroundings) { self.surroundings = surroundings }

    /// Adds a line about an instance and its call.
    mutating func add(_ level: LineLevel, _ text: String, of instance: WorkerInstance) {
        add(WorkerLog.line(level, text, instance.job), of: instance.function.id)
    }

    mutating func add(_ level: LineLevel, _ text: String, of function: Int64) {
        add(WorkerLog.line(level, text, nil), of: function)
    }

    private mutating func add(_ line: WorkerLogLine, of function: Int64) {
        if surroundings.takeMemory(line.bytesCharged) { keep(line, of: function) } else { drop(of: function) }
    }

    /// Keeps a line that an instance wrote, whose memory was taken.
    mutating func keep(_ level: LineLevel, _ text: String, of instance: WorkerInstance) {
        keep(WorkerLog.line(level, text, instance.job), of: instance.function.id)
    }

    private mutating func keep(_ line: WorkerLogLine, of function: Int64) {
        if lines[function, default: WorkerLogLines()].lines.count < WorkerLog.linesPerTurn {
            lines[function, default: WorkerLogLines()].lines.append(line)
        } else {
            surroundings.giveMemoryBack(line.bytesCharged)
            drop(of: function)
        }
    }

    /// Counts a line that is not in the log.
    mutating func drop(of function: Int64) { lines[function, default: WorkerLogLines()].dropped += 1 }

    mutating func write() {
        for (function, lines) in lines { surroundings.log(function, lines) }
        lines = [:]
    }

    private static func line(_ level: LineLevel, _ text: String, _ job: WorkerJob?) -> WorkerLogLine {
        WorkerLogLine(level: level, text: text, run: job?.run, user: job?.call.user)
    }
}
