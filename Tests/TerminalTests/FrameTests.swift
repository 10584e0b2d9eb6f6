// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Terminal

struct FrameTests {
    private func drawn(_ width: Int, _ height: Int, _ draw: (inout Frame) -> Void) -> [String] {
        var frame = Frame(Size(width, height))
        draw(&frame)
        return frame.lines
    }

    @Test func `text outside the frame is clipped`() {
        #expect(drawn(4, 1) { $0.put("abcdef", 2, 0) } == ["  ab"])
        #expect(drawn(4, 1) { $0.put("abc", 0, 5) } == [""])
        #expect(drawn(4, 1) { $0.put("abc", 9, 0) } == [""])
        #expect(drawn(4, 1) { $0.put("a日本", 0, 0) } == ["a日"])
    }

    @Test func `overwriting half of a wide character clears the other half`() {
        #expect(
            drawn(6, 1) {
                $0.put("日本語", 0, 0); $0.put("x", 1, 0)
            } == [" x本語"])
        #expect(
            drawn(6, 1) {
                $0.put("日本語", 0, 0); $0.put("x", 2, 0)
            } == ["日x 語"])
        #expect(
            drawn(6, 1) {
                $0.put("日本語", 0, 0); $0.put("字", 1, 0)
            } == [" 字 語"])
    }

    @Test func `columns cover the whole width`() {
        for width in 0...50 {
            let parts = Rect(3, 0, width, 1).columns([3, 2, 2], gap: 2)
            #expect(parts.count == 3 && parts.allSatisfy { $0.width >= 0 })
            if width > 6 { #expect(parts[2].x + parts[2].width == 3 + width && parts[1].x == parts[0].x + parts[0].width + 2) }
        }
    }

    @Test func `sparkline, bar, area and bar charts are drawn`() {
        #expect(drawn(8, 1) { $0.sparkline([0, 1, 2, 3, 4, 5, 6, 8], in: $0.bounds, .plain) } == ["▁▁▂▃▄▅▆█"])
        #expect(drawn(8, 1) { $0.bar(5, of: 8, in: $0.bounds, .plain) } == ["█████"])
        #expect(drawn(8, 1) { $0.bar(1, of: 1_000, in: $0.bounds, .plain) } == ["▏"])
        let area = drawn(12, 4) { AreaChart([0, 1, 2, 3, 4, nil], from: "a", to: "z").draw(in: $0.bounds, on: &$0, .plain, axis: .plain) }
        #expect(area == ["4      ⣀⣀⣿⡇", "     ⢠⣤⣿⣿⣿⡇", "0   ⣶⣾⣿⣿⣿⣿⡇", "  a        z"])
        let bars = drawn(11, 4) {
            BarChart([.init("Mo", 4), .init("Tu", 2), .init("We", 0)]).draw(in: $0.bounds, on: &$0, .plain, open: .plain, label: .plain)
        }
        #expect(bars == ["4", "███ 2", "███ ███ 0", "Mo  Tu  We"])
    }

    @Test func `a narrow table drops its last columns first`() {
        let table = Table([.init("Name", isFlexible: true), .init("Count", .right), .init("More")], [["a long name indeed", "12", "abc"]])
        #expect(
            drawn(40, 2) { table.draw(in: $0.bounds, on: &$0, heading: .plain) } == [
                "Name                Count  More", "a long name indeed     12  abc",
            ])
        #expect(drawn(23, 2) { table.draw(in: $0.bounds, on: &$0, heading: .plain) } == ["Name        Count  More", "a long na…     12  abc"])
        #expect(drawn(10, 2) { table.draw(in: $0.bounds, on: &$0, heading: .plain) } == ["Name", "a long …"])
    }

    @Test func `names are cut in the middle, and long words are wrapped`() {
        let name = "Größe.日本語.checkout()"
        #expect(drawn(12, 1) { $0.text(name, in: $0.bounds, cut: .middle) } == ["Größe.…out()"])
        #expect(drawn(9, 1) { $0.text(name, in: $0.bounds, .plain, .right, cut: .middle) } == ["Größ…ut()"])
        #expect(drawn(1, 1) { $0.text(name, in: $0.bounds, cut: .middle) } == ["…"])
        #expect(drawn(30, 1) { $0.text(name, in: $0.bounds, cut: .middle) } == [name])
        let table = Table([.init("Name", isFlexible: true, cut: .middle), .init("Count", .right)], [["a::very::long::name", "12"]])
        #expect(drawn(19, 2) { table.draw(in: $0.bounds, on: &$0, heading: .plain) } == ["Name          Count", "a::ver…:name     12"])
        #expect(drawn(6, 4) { $0.paragraph("is ab::cdefgh::日本 so", in: $0.bounds) } == ["is", "ab::cd", "efgh::", "日本"])
    }

    @Test func `a click goes to the topmost link`() {
        var frame = Frame(Size(20, 6))
        frame.link(Rect(0, 0, 10, 2), [.down, .down])
        frame.link(Rect(5, 0, 5, 1), [.enter])
        let clicked = { (x: Int, y: Int) in frame.keys(for: Mouse(.press, x, y)) }
        #expect(clicked(4, 0) == [.down, .down] && clicked(5, 0) == [.enter] && clicked(5, 1) == [.down, .down])
        #expect(clicked(10, 0).isEmpty && clicked(0, 2).isEmpty && clicked(999, 999).isEmpty)
        #expect(frame.keys(for: Mouse(.release, 5, 0)).isEmpty && frame.keys(for: Mouse(.wheelDown, 19, 5)) == [.down])
        _ = frame.box("on top", in: Rect(0, 0, 20, 3), .plain)
        #expect(clicked(5, 0).isEmpty)
    }

    @Test func `a heat cell is shaded without colours`() {
        let cells = [0, 0.5, 1].map { share in
            drawn(6, 1) { $0.heat("50 %", share, in: $0.bounds, from: Color(0xffffff), to: Color(0x000000), .none) }[0]
        }
        #expect(cells == ["  50 %", "▒ 50 %", "█ 50 %"])
    }
}
