// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Terminal

struct PictureTests {
    private func drawn(_ width: Int, _ height: Int, _ draw: (inout Frame) -> Void) -> String {
        var frame = Frame(Size(width, height))
        draw(&frame)
        let svg = Picture(frame).svg
        #expect(XMLParser(data: Data(svg.utf8)).parse(), "\(svg)")
        return svg
    }

    private func texts(_ svg: String) -> [String] {
        svg.components(separatedBy: "<text").dropFirst().map { "<text" + ($0.components(separatedBy: "</text>").first ?? "") + "</text>" }
    }

    @Test func `block and line characters are shapes that fill their cells`() {
        let svg = drawn(6, 1) { $0.put("▂▌██─┤", 0, 0) }
        #expect(texts(svg).isEmpty)
        // The two full blocks are one shape; so are the line and the joining arm.
        for part in ["M0 15h10v5h-10z", "M10 0h5v20h-5z", "M20 0h20v20h-20z", "M40 9.25h15.75v1.5h-15.75z", "M54.25 0h1.5v10.75h-1.5z"] {
            #expect(svg.contains(part), "\(part) in \(svg)")
        }
        let shaded = drawn(3, 1) { $0.put("░▒▓", 0, 0) }
        for shade in [25, 50, 75] { #expect(shaded.contains("fill-opacity=\"0.\(shade)\""), "\(shaded)") }
    }

    @Test func `Braille dots form one grid across cells`() {
        let svg = drawn(2, 2) {
            $0.put("⣿⡇", 0, 0); $0.put("⢀", 0, 1)
        }
        #expect(texts(svg).isEmpty)
        for part in ["M0 0h2.01", "M0 3h2.01", "M1 7h0.01"] { #expect(svg.contains(part), "\(part) in \(svg)") }
    }

    @Test func `each run of text has the width of its cells`() {
        let svg = drawn(20, 1) { $0.put("a <b>    42", 0, 0) }
        #expect(
            texts(svg) == [
                #"<text x="0" y="15" textLength="50" lengthAdjust="spacingAndGlyphs">a &lt;b&gt;</text>"#,
                #"<text x="90" y="15" textLength="20" lengthAdjust="spacingAndGlyphs">42</text>"#,
            ])
    }

    @Test func `wide and symbol characters are centred in their cells`() {
        let svg = drawn(20, 1) { $0.put("x日●🚀", 0, 0) }
        #expect(
            Array(texts(svg).dropFirst()) == [
                #"<text x="20" y="15" text-anchor="middle">日</text>"#, #"<text x="35" y="15" text-anchor="middle">●</text>"#,
                #"<text x="50" y="15" text-anchor="middle">🚀</text>"#,
            ])
    }

    @Test func `styles become colours, weight, opacity and underline`() {
        let red = Color(0xff0000)
        let svg = drawn(12, 1) {
            $0.put("a", 0, 0, Style(red, on: Color(0x0000ff), [.bold, .underline]))
            $0.put("b", 3, 0, Style(red, [.reverse, .dim]))
        }
        #expect(svg.contains(##"<g fill="#0000ff"><path shape-rendering="crispEdges" d="M0 0h10v20h-10z"/>"##))
        #expect(svg.contains(##"<g fill="#ff0000"><path shape-rendering="crispEdges" d="M30 0h10v20h-10z"/>"##))
        #expect(
            svg.contains(##"color="#ff0000" fill="currentColor" font-weight="bold"><path shape-rendering="crispEdges" d="M0 17.5h10v1.5h-10z"/>"##))
        #expect(svg.contains(##"color="#14171a" fill="currentColor" opacity="0.6"><text x="30""##), "\(svg)")
    }

    @Test func `a full screen stays below 150 kB`() {
        let values = (0..<240).map { Double(($0 * 7_919) % 101) }
        let svg = drawn(120, 40) { frame in
            let (top, rest) = frame.bounds.split(rows: 20)
            AreaChart(values, from: "a", to: "z").draw(in: top, on: &frame, Style(Color(0x2d79c5)), axis: .plain)
            for row in 0..<rest.height {
                for column in 0..<12 { frame.put("word \(row * column)", column * 10, rest.y + row, Style(Color(UInt32(column * 99)))) }
            }
        }
        #expect(svg.utf8.count < 150_000, "\(svg.utf8.count)")
    }

    @Test(arguments: ["<", "&", "</text>", "<!--", "]]>", "&lt;", "\"", "\u{ffff}"])
    func `no scalar beside a token lets it through as XML`(token: String) {
        let hostile = HostileText.around(token)
        for text in hostile {
            let source = SVGText(text).source.unicodeScalars
            #expect(!source.contains("<") && !source.contains(">") && !source.contains("\""), "\(text.debugDescription)")
            #expect(source.allSatisfy { $0.properties.generalCategory != .control && $0.value & 0xfffe != 0xfffe }, "\(text.debugDescription)")
        }
        // One picture with all texts, which is parsed.
        _ = drawn(40, hostile.count) { frame in
            for (row, text) in hostile.enumerated() { frame.put(text, 0, row) }
        }
    }
}
