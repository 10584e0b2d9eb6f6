// SPDX-License-Identifier: Apache-2.0

package import JSON
import Platform

/// Reads the stream of a function's target, server-sent events, and returns the lines for the client.
///
///     data: {"message":1}\n\n          →  data: {"message":1}\n\n
///     : ping\n  event: x\n  id: 7\n    →  nothing, since clients on iOS end with DATA_LOSS at any line but data
///     data: {"result":2}\n\n           →  data: {"result":2}\n\n, the end
///
/// It is linear in the bytes, whose number its caller bounds.
package struct CallStreamReader: Sendable {
    package enum Item: Sendable, Equatable {
        /// A message in between, as JSON.
        case message([UInt8])
        case end(CallAnswer)
    }

    private let parser: JSONParser
    /// The line that has begun.
    private var line: [UInt8] = []
    /// The data of the event that has begun.
    private var data: [UInt8] = []
    private var endsWithReturn = false
    private var isOver = false

    package init(_ parser: JSONParser) {
        self.parser = parser
    }

    /// Returns what the next bytes say. After the end it returns nothing.
    package mutating func read(_ bytes: Span<UInt8>) -> [Item] {
        var items: [Item] = []
        for index in bytes.indices where !isOver {
            let byte = bytes[index]
            let isFeed = byte == UInt8(ascii: "\n")
            // CR LF is one end of a line.
            if isFeed, endsWithReturn {
                endsWithReturn = false
                continue
            }
            endsWithReturn = byte == UInt8(ascii: "\r")
            if isFeed || endsWithReturn {
                if let item = endLine() { items.append(item) }
            } else {
                line.append(byte)
            }
        }
        return items
    }

    /// Returns the answer of a stream that ended without one.
    package mutating func finish() -> CallAnswer? {
        guard !isOver else { return nil }
        if !line.isEmpty, case .end(let answer)? = endLine() { return answer }
        if case .end(let answer)? = endEvent() { return answer }
        isOver = true
        return .failure(CallError(.internal, "The function ended its stream without a result."))
    }

    private mutating func endLine() -> Item? {
        defer { line.removeAll(keepingCapacity: true) }
        if line.isEmpty { return endEvent() }
        guard line.starts(with: "data:".utf8) else { return nil }
        let value = line.dropFirst(5)
        if !data.isEmpty { data.append(UInt8(ascii: "\n")) }
        data += value.first == UInt8(ascii: " ") ? value.dropFirst() : value
        return nil
    }

    private mutating func endEvent() -> Item? {
        guard !data.isEmpty else { return nil }
        defer { data = [] }
        let tape: JSONTape
        do throws(JSONError) {
            tape = try parser.withReader { [data] reader throws(JSONError) in try reader.parse(data, limits: CallBody.limits) }
        } catch {
            return end(.failure(CallError(.internal, "The function sent an event that \(error.explanation).")))
        }
        if tape[0].kind == .object, let message = tape.value("message", of: 0), tape.value("error", of: 0) == nil {
            return .message(CallStreamReader.withoutLineEnds(tape.bytes[tape.slice(message)]))
        }
        return end(CallAnswer(tape, at: 0) ?? .failure(CallError(.internal, "The function sent an event without message, result or error.")))
    }

    private mutating func end(_ answer: CallAnswer) -> Item {
        isOver = true
        return .end(answer)
    }

    /// JSON on one line, as an event must be. Line ends occur only between its parts.
    package static func withoutLineEnds(_ json: ArraySlice<UInt8>) -> [UInt8] {
        Array(json.lazy.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 })
    }
}
