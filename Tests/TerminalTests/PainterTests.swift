// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Terminal

struct PainterTests {
    @Test(arguments: [ColorDepth.none, .basic, .indexed, .full], [UInt64(1), 2, 3])
    func `the painted screen equals the frame`(depth: ColorDepth, seed: UInt64) throws {
        var painter = Painter(depth)
        var screen = WrittenScreen(width: 30, height: 8)
        var chance = Chance(state: seed)
        var frame = Frame(Size(30, 8))
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0...4, using: &chance) { scribble(on: &frame, &chance) }
            try screen.write(painter.paint(frame))
            #expect(screen.lines == frame.lines)
        }
    }

    private func scribble(on frame: inout Frame, _ chance: inout Chance) {
        let text = ["abc", "日本語", "é", "⣿█", " ", "👍x", "ｗｉｄｅ"].randomElement(using: &chance) ?? ""
        let style = [Style.plain, .bold, Style(Color(0x2d79c5)), Style(.standard, .reverse)].randomElement(using: &chance) ?? .plain
        frame.put(text, Int.random(in: -1..<30, using: &chance), Int.random(in: 0..<8, using: &chance), style)
    }

    @Test func `only changed cells are written`() {
        var painter = Painter(.full)
        var frame = Frame(Size(80, 24))
        for y in 0..<24 { frame.put(String(repeating: "x", count: 80), 0, y) }
        let first = painter.paint(frame).count
        #expect(painter.paint(frame).isEmpty)
        frame.put("y", 40, 12)
        let second = String(decoding: painter.paint(frame), as: UTF8.self)
        #expect(first > 80 * 24 && second == "\u{1b}[?2026h\u{1b}[13;41Hy\u{1b}[?2026l")
        painter.forget()
        #expect(painter.paint(frame).count >= first)
    }

    @Test func `links are not painted`() {
        var painter = Painter(.full)
        var frame = Frame(Size(80, 24))
        frame.put("x", 0, 0)
        _ = painter.paint(frame)
        frame.link(Rect(0, 0, 4, 1), [.enter])
        #expect(painter.paint(frame).isEmpty)
    }

    @Test func `a resized frame is painted completely`() throws {
        var painter = Painter(.none)
        var frame = Frame(Size(10, 2))
        frame.put("old", 0, 0)
        _ = painter.paint(frame)
        var screen = WrittenScreen(width: 12, height: 2)
        try screen.write(Array("\u{1b}[1;1Hrubbish".utf8))
        frame = Frame(Size(12, 2))
        frame.put("new", 0, 1)
        try screen.write(painter.paint(frame))
        #expect(screen.lines == ["", "new"])
    }

    @Test func `each colour depth has its escape codes`() {
        let codes = ColorDepth.allCases.map { depth -> String in
            var painter = Painter(depth)
            var frame = Frame(Size(1, 1))
            frame.put("x", 0, 0, Style(Color(0xd24639), on: Color(0x777777), .bold))
            let text = String(decoding: painter.paint(frame), as: UTF8.self)
            return text.components(between: "\u{1b}[0;", and: "mx")
        }
        #expect(codes == ["1", "1;31;100", "1;38;5;167;48;5;243", "1;38;2;210;70;57;48;2;119;119;119"])
    }

    @Test(arguments: [
        ([:], ColorDepth.none), (["TERM": "dumb"], .none), (["TERM": "xterm"], .basic), (["TERM": "xterm-256color"], .indexed),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full), (["TERM": "xterm-direct"], .full),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none), (["TERM": "xterm", "NO_COLOR": ""], .basic),
    ])
    func `the colour depth follows the environment`(environment: [String: String], depth: ColorDepth) {
        #expect(ColorDepth(environment) == depth)
    }

    @Test func `without Unicode characters are replaced by ASCII of the same width`() {
        var frame = Frame(Size(12, 1))
        frame.put("─⣿█▁日é…→│", 0, 0)
        let text = String(decoding: frame.printed(.none, .ascii), as: UTF8.self)
        #expect(text == "-@@_? ?~>|\n")
        #expect(
            Alphabet(["LANG": "C"]) == .ascii && Alphabet(["LANG": "de_DE.UTF-8"]) == .unicode
                && Alphabet(["LC_ALL": "C", "LANG": "C.UTF-8"]) == .ascii)
    }

    @Test func `printed lines without colours have no escape codes`() {
        var frame = Frame(Size(10, 3))
        frame.put("a", 2, 0, Style(Color(0xd24639), .bold))
        #expect(frame.printed(.none) == Array("  a\n\n\n".utf8))
        #expect(String(decoding: frame.printed(.full), as: UTF8.self) == "  \u{1b}[0;1;38;2;210;70;57ma\u{1b}[0m\n\n\n")
    }
}

extension String {
    fileprivate func components(between start: String, and end: String) -> String {
        guard let from = ranges(of: start).first?.upperBound, let to = self[from...].ranges(of: end).first?.lowerBound else { return "" }
        return String(self[from..<to])
    }
}

struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
