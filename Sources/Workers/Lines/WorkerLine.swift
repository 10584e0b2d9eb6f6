// SPDX-License-Identifier: Apache-2.0

package import Functions
package import JSON
import Platform

/// A line that a worker with the protocol `lines` writes.
///
///     {"id": "call_1", "log": "cart is empty", "level": "warning"}           →  a line of the function's log
///     {"id": "call_1", "message": {"done": 10}}                              →  a message of a stream
///     {"id": "call_1", "result": {"total": 3}}                               →  the end, with status OK
///     {"id": "call_1", "error": {"status": "NOT_FOUND", "message": "…"}}     →  the end, with status NOT_FOUND
///     loading the model                                                      →  a line of the log, as it is no object
package enum WorkerLine: Sendable, Equatable {
    case log(LineLevel, String)
    case message
    case end(CallStatus)
    /// The line is too large for the memory that is free.
    case noMemory
    /// The line breaks the protocol, for this reason.
    case fault(String)

    /// The length of a line: a result and the members around it.
    package static let maximumBytes = CallBody.maximumBytes + (4 << 10)
    private static let limits = JSONLimits(bytes: maximumBytes, tokens: 1_000_000, depth: 101)

    /// Reads a line.
    ///
    /// - Parameter id: The ID of the call under way; nil for none.
    package init(_ line: [UInt8], id: String?, _ parser: JSONParser) {
        guard line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "{") else {
            self = .log(.info, String(decoding: line.prefix(WorkerLogLine.maximumBytes), as: UTF8.self))
            return
        }
        do throws(JSONError) {
            self.init(try parser.withReader { reader throws(JSONError) in try reader.parse(line, limits: WorkerLine.limits) }, id: id)
        } catch {
            self = error.reason == .noMemory ? .noMemory : .fault("wrote a line that \(error.explanation)")
        }
    }

    private init(_ tape: JSONTape, id: String?) {
        let stated = tape.value("id", of: 0).flatMap { tape.text(tape[$0]) }
        if let log = tape.value("log", of: 0) {
            let level = tape.value("level", of: 0).flatMap { tape.text(tape[$0]) }.flatMap(LineLevel.init(name:)) ?? .info
            self = .log(level, tape.text(tape[log]) ?? "")
        } else if stated == nil || stated != id {
            self = .fault(id == nil ? "answered without a call" : "answered with the ID of another call")
        } else if tape.value("message", of: 0) != nil {
            self = .message
        } else if let error = tape.value("error", of: 0) {
            let word = tape[error].isObject ? tape.value("status", of: error).flatMap { tape.text(tape[$0]) } : nil
            self = .end(word.flatMap(CallStatus.init(rawValue:)).flatMap { $0 == .ok ? nil : $0 } ?? .internal)
        } else if tape.value("result", of: 0) != nil {
            self = .end(.ok)
        } else {
            self = .fault("wrote a line without log, message, result or error")
        }
    }
}
