// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

struct LogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: [UInt8]) {
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
    }

    private let lines = Lines()

    private func log(_ format: LogFormat, level: LogLevel = .info) -> Log {
        Log(level: level, format: format, clock: ManualClock(Timestamp(milliseconds: 0)).clock, write: lines.add)
    }

    @Test func `logfmt quotes values with special characters`() {
        log(.logfmt).info(
            "it stands",
            ["address": "127.0.0.1:8787", "reason": "a \"b\" = c\\", "empty": "", "n": 3, "share": 0.5, "ok": true, "odd key": .count(UInt64.max)])
        #expect(
            lines.all == [
                #"time=1970-01-01T00:00:00.000Z level=info msg="it stands" address=127.0.0.1:8787 reason="a \"b\" = c\\" empty="" n=3 share=0.5 ok=true "#
                    + "odd_key=9223372036854775807\n"
            ])
    }

    @Test func `JSON keeps types`() {
        log(.json).error("it \"fell\"", ["n": -3, "share": 0.5, "nan": .number(.nan), "ok": false, "text": "ü\u{1F600}"])
        #expect(
            lines.all == [
                #"{"time":"1970-01-01T00:00:00.000Z","level":"error","message":"it \"fell\"","n":-3,"share":0.5,"nan":"nan","ok":false,"text":"ü😀"}"#
                    + "\n"
            ])
    }

    @Test(arguments: LogFormat.allCases)
    func `no text breaks or hides in a log line`(format: LogFormat) {
        let hostile = "a\nlevel=error\r\t\u{1b}[2J\u{0}\u{7f}\u{85}\u{2028}\u{202e}\u{E0041}b"
        log(format).warning("received", ["text": .text(hostile)])
        let line = lines.all[0]
        #expect(line.hasSuffix("\n") && line.dropLast().unicodeScalars.allSatisfy { (0x20..<0x7f).contains($0.value) })
        #expect(line.contains(#"a\nlevel=error\r\t\u001b[2J\u0000\u007f\u0085\u2028\u202e\udb40\udc41b"#))
    }

    @Test func `long texts are cut`() {
        log(.logfmt).info("received", ["text": .text(String(repeating: "x", count: 100_000))])
        #expect(lines.all[0].utf8.count < 1_100 && lines.all[0].hasSuffix("x…\n"))
    }

    @Test func `lines below the level are not written and their values not computed`() {
        let log = log(.logfmt, level: .warning)
        var made = 0
        func fact() -> KeyValuePairs<String, LogValue> {
            made += 1
            return [:]
        }
        log.info("unseen", fact())
        log.warning("seen", fact())
        log.change(level: .debug, format: .json)
        log.debug("seen", fact())
        #expect(lines.all.count == 2 && made == 2)
        #expect(lines.all[1].hasPrefix("{"))
    }

    @Test func `a secret prints as dots`() {
        log(.logfmt).info("token", ["value": "\(Secret("hunter2"))", "optional": "\(String(describing: Optional(Secret("hunter2"))))"])
        #expect(lines.all[0].contains("value=•••") && !lines.all[0].contains("hunter2"))
    }
}
