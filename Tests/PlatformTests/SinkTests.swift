// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import Platform

/// Untrusted texts in each output syntax of this module, with scalars that combine with tokens to other Characters.
struct SinkTests {
    // MARK: Spreadsheets

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("=\u{301}1+1", "'=\u{301}1+1"), ("\u{600}=1", "'\u{600}=1"), (" =1", "' =1"), ("\u{feff}=1", "'\u{feff}=1"),
        ("\t=1", "\"'\t=1\""), ("\rx", "\"'\rx\""), ("\r\nx", "\"'\r\nx\""), ("+49 30", "'+49 30"), ("@SUM(1)", "'@SUM(1)"), ("＝1", "'＝1"),
        ("-x", "'-x"),
        ("-3", "-3"), ("-0.5", "-0.5"), ("-1e-07", "-1e-07"), ("-1+1", "'-1+1"), ("-", "'-"), ("-.5", "'-.5"), ("-1e", "'-1e"), ("-nan", "'-nan"),
        ("-0x1", "'-0x1"), ("3", "3"), ("a", "a"), ("", ""), ("a=1", "a=1"), ("ü=1", "ü=1"), ("日=1", "日=1"), (" a", " a"),
        ("a,b", "\"a,b\""), ("a;b", "\"a;b\""), ("say \"\u{301}hi\u{301}\"", "\"say \"\"\u{301}hi\u{301}\"\"\""), ("a\nb", "\"a\nb\""),
    ])
    func `a CSV cell reads back unchanged and is no formula in a spreadsheet`(text: String, cell: String) {
        #expect(CSVCell(text).bytes == Array(cell.utf8), "\(String(decoding: CSVCell(text).bytes, as: UTF8.self))")
    }

    @Test(arguments: ["=cmd|' /C calc'!A0", "=", "+1", "-1-1", "@A1", "＝1", "＠1"])
    func `no scalar in or before a formula keeps it a formula`(formula: String) throws {
        for text in HostileText.around(formula) {
            let read = Self.read(CSVCell.record([CSVCell(text), CSVCell("next")]))
            try #require(read.count == 2 && read[1] == "next", "\(text.debugDescription)")
            let begins = read[0].unicodeScalars.first { !Self.isPassedOver($0) }
            #expect(begins.map { !"=+-@＝＠".unicodeScalars.contains($0) } ?? true, "\(text.debugDescription)")
            #expect([text, "'" + text].contains { $0.utf8.elementsEqual(read[0].utf8) }, "\(text.debugDescription)")
        }
    }

    /// Scalars that a spreadsheet may ignore before a sign.
    private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .enclosingMark, .spacingMark, .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator]
            .contains(scalar.properties.generalCategory)
    }

    @Test(arguments: ["\"", ",", "\"\"", "a\",\"b", ";"])
    func `no scalar beside a quote or comma moves the following cells`(token: String) {
        for text in HostileText.around(token) {
            let read = Self.read(CSVCell.record([CSVCell("x" + text), CSVCell("next")]))
            #expect(read.map { Array($0.utf8) } == ["x" + text, "next"].map { Array($0.utf8) }, "\(text.debugDescription)")
        }
    }

    /// Parses the cells of a record byte by byte (RFC 4180).
    private static func read(_ record: [UInt8]) -> [String] {
        var cells: [[UInt8]] = []
        var rest = record.dropLast(2)
        repeat {
            var cell: [UInt8] = []
            if rest.first == 0x22 {
                rest = rest.dropFirst()
                while let byte = rest.popFirst() {
                    // The second of two quotes is literal.
                    if byte == 0x22, rest.popFirst() != 0x22 { break }
                    cell.append(byte)
                }
                cells.append(cell)
            } else {
                cells.append(Array(rest.prefix { $0 != 0x2c }))
                rest = rest.drop { $0 != 0x2c }.dropFirst()
            }
        } while !rest.isEmpty
        return cells.map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Terminals

    @Test(arguments: [
        ("shop\u{1b}[31m", "shop?[31m"), ("a\r\nb\rc\n\td", "a\r\nb?c\n\td"), ("\u{202e}gpj.exe", "?gpj.exe"), ("\u{9b}2J", "?2J"),
        ("a\u{2028}b\u{85}c", "a?b?c"),
        ("👩‍👩‍👧 é e\u{301}", "👩‍👩‍👧 é e\u{301}"), ("", ""), ("\r", "?"), ("\r\r\n", "?\r\n"),
    ])
    func `control characters in a text are replaced for the terminal`(text: String, shown: String) {
        #expect(TerminalText(text).text.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test(arguments: ["\u{1b}[2J", "\u{9b}2J", "\u{1b}]0;t\u{7}", "a\tb", "\u{7f}"])
    func `no scalar beside a control character lets it through or breaks a table row`(token: String) {
        for text in HostileText.around(token) {
            let shown = TerminalText(text).text.unicodeScalars
            #expect(shown.allSatisfy { !Self.steers($0) || ["\n", "\r", "\t"].contains($0) }, "\(text.debugDescription)")
            #expect(zip(shown, Array(shown.dropFirst()) + ["x"]).allSatisfy { $0 != "\r" || $1 == "\n" }, "\(text.debugDescription)")
            let table = TextTable.lines([["a", "b"], [text, "next"]]).unicodeScalars
            #expect(table.count { $0 == "\n" } == 1 && table.allSatisfy { !Self.steers($0) || $0 == "\n" }, "\(text.debugDescription)")
            let failure = Failure("It \(text) failed", hint: text).line
            #expect(!failure.unicodeScalars.contains { [0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0x2028, 0x2029].contains($0.value) }, "\(text)")
        }
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || [0x61c, 0x200e, 0x200f, 0x2028, 0x2029].contains(scalar.value)
            || (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    // MARK: Logs, metrics, the service manager

    @Test(arguments: LogFormat.allCases, ["\n", "\"", "\\", "=", " level=error ", "\"}\n{\"a\":\""])
    func `no scalar beside a quote or line break breaks a log line`(format: LogFormat, token: String) {
        for text in HostileText.around(token) {
            let line = Mutex<[UInt8]>([])
            let log = Log(format: format, clock: ManualClock(Timestamp(milliseconds: 0)).clock) { bytes in line.withLock { $0 = bytes } }
            log.info("m", ["k": .text(text), "n": 1])
            let bytes = line.withLock { $0 }
            #expect(bytes.count { $0 < 0x20 } == 1 && bytes.last == 0x0a)
            let end = format == .json ? #"","n":1}"# : " n=1"
            #expect(bytes.dropLast().suffix(end.utf8.count).elementsEqual(end.utf8), "\(text.debugDescription)")
            // All other quotes are escaped.
            let marks = format == .json ? [18] : [0, 2]
            var isEscaped = false
            let bare = bytes.count { byte in
                defer { isEscaped = byte == 0x5c && !isEscaped }
                return byte == 0x22 && !isEscaped
            }
            #expect(marks.contains(bare), "\(text.debugDescription)")
        }
    }

    @Test(arguments: ["\n", "\"", "\\", "\"} 1\nup{a=\""])
    func `no scalar beside a quote or line break breaks a label`(token: String) {
        for text in HostileText.around(token) {
            let metrics = Metrics()
            metrics.counters("a_total", "A.", labels: ["l"])(text).add()
            let lines = metrics.exposition().split(separator: 0x0a)
            let escaped = text.unicodeScalars.map { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : $0 == "\n" ? "\\n" : String($0) }.joined()
            #expect(lines.count == 3 && lines[2].elementsEqual("a_total{l=\"\(escaped)\"} 1".utf8), "\(text.debugDescription)")
        }
    }

    @Test(arguments: ["\nREADY=1", "\n", "\r\n"])
    func `no scalar beside a line break adds a notification to a status`(token: String) {
        for text in HostileText.around(token) {
            #expect(!ServiceManager.Notification.status(text).text.utf8.contains { $0 < 0x20 }, "\(text.debugDescription)")
        }
    }

    // MARK: Lists and names

    @Test(arguments: HostileText.texts)
    func `a comma ends a list element next to any scalar`(text: String) {
        for (list, elements) in [("a,\(text)b", ["a", text + "b"]), ("a\(text),b", ["a" + text, "b"])] {
            #expect(list.commaSeparated.map { Array($0.utf8) } == elements.map { Array($0.utf8) })
        }
        #expect("K".hasSameBytes(as: "K") && !"K".hasSameBytes(as: "\u{212a}") && !"\u{e9}".hasSameBytes(as: "e\u{301}"))
    }
}
