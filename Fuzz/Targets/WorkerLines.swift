// SPDX-License-Identifier: Apache-2.0

import JSON
import Workers

/// Output of worker programs. The lines do not depend on how the bytes are cut, and what ends a call is an object.
enum WorkerLines {
    private static let parser = JSONParser()
    private static let limit = 4 << 10

    static func run(_ bytes: [UInt8]) {
        let whole = lines(bytes, step: max(1, bytes.count))
        require(whole == lines(bytes, step: 7), "the lines depend on how the bytes are cut")
        checkLog(bytes)
        // A line of any length is read in linear time, too.
        for line in whole ?? [bytes] {
            switch WorkerLine(line, id: "call_1", parser) {
            case .end, .message:
                accepted()
                require((try? JSONValue(line))?["id"]?.string == "call_1", "a line without its ID is an answer")
            case .log: accepted()
            case .fault, .noMemory: break
            }
        }
    }

    private static func lines(_ bytes: [UInt8], step: Int) -> [[UInt8]]? {
        var (buffer, lines) = (LineBuffer(limit: limit), [[UInt8]]())
        for start in stride(from: 0, to: bytes.count, by: step) {
            guard let found = buffer.take(bytes[start..<min(start + step, bytes.count)]) else { return nil }
            lines += found
        }
        return lines
    }

    /// No line of a log is longer than its limit, and no byte is lost.
    private static func checkLog(_ bytes: [UInt8]) {
        var buffer = LineBuffer(limit: 16)
        let lines = buffer.takeCut(bytes[...])
        require(lines.allSatisfy { $0.count <= 16 }, "a line of a log is too long")
        let feeds = bytes.count { $0 == 0x0a }
        require(lines.reduce(0) { $0 + $1.count } + buffer.count + feeds == bytes.count, "bytes of a log are lost")
    }
}
