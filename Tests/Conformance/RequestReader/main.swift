// SPDX-License-Identifier: Apache-2.0

import HTTPServer

// Prints how `RequestReader` parses connections. Each hexadecimal input line gives one line: `METHOD:BODY` for each request with the body in
// hexadecimal, then the status of the fault, `close` after a last request, or `more` if the bytes end there.

func reading(of bytes: [UInt8]) -> String {
    var reader = RequestReader(limits: HeadLimits())
    var offset = 0
    var words: [String] = []
    var last: HTTPRequestHead?
    do throws(HTTPRequestError) {
        while true {
            switch try reader.next(bytes.span, at: &offset) {
            case .needsMore:
                words.append("more")
                return words.joined(separator: " ")
            case .head(let head):
                last = head
                try reader.expect(head.body, limit: 1 << 20)
            case .piece: continue
            case .body(let body):
                words.append("\(last?.method.name ?? "?"):\(hexadecimal(body))")
                if last?.keepsAlive == false { return (words + ["close"]).joined(separator: " ") }
            }
        }
    } catch {
        words.append("\(error.status)")
        return words.joined(separator: " ")
    }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func bytes(of line: String) -> [UInt8] {
    let digits = Array(line.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) }
}

while let line = readLine() { print(reading(of: bytes(of: line))) }
