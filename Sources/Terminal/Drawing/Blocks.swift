// SPDX-License-Identifier: Apache-2.0

/// Bars with a resolution of an eighth of a cell.
enum Blocks {
    private static let rising = "▁▂▃▄▅▆▇█".map { Glyph(character: $0, width: 1) }
    private static let growing = "▏▎▍▌▋▊▉█".map { Glyph(character: $0, width: 1) }

    /// Returns a cell filled from below by eighths; `nil` for an empty one.
    static func column(_ eighths: Int) -> Glyph? { eighths > 0 ? rising[min(eighths, 8) - 1] : nil }
    /// Returns a cell filled from the left by eighths; `nil` for an empty one.
    static func row(_ eighths: Int) -> Glyph? { eighths > 0 ? growing[min(eighths, 8) - 1] : nil }

    /// Returns the eighths of `cells` for a value: 0 for zero, and at least 1 for any positive value.
    static func eighths(_ value: Double, of top: Double, cells: Int) -> Int {
        guard value > 0, top > 0 else { return 0 }
        return max(1, min(cells * 8, Int((value / top * Double(cells * 8)).rounded())))
    }
}

extension Frame {
    /// Draws one value per column. Values that do not fit are omitted at the left.
    package mutating func sparkline(_ values: [Double], in line: Rect, _ style: Style) {
        let top = values.max() ?? 0
        for (column, value) in values.suffix(line.width).enumerated() {
            // Zero is drawn as a line at the bottom, unlike a missing value.
            put([Blocks.column(max(1, Blocks.eighths(value, of: top, cells: 1))) ?? .space], line.x + column, line.y, style)
        }
    }

    /// Draws a bar from the left with the length of `value` relative to `top`.
    package mutating func bar(_ value: Double, of top: Double, in line: Rect, _ style: Style) {
        let eighths = Blocks.eighths(value, of: top, cells: line.width)
        for column in 0..<line.width {
            guard let glyph = Blocks.row(eighths - column * 8) else { return }
            put([glyph], line.x + column, line.y, style)
        }
    }

    /// Draws a cell of a heat map: the share as background color, or as shading without colors.
    package mutating func heat(_ text: String, _ share: Double, in line: Rect, from low: Color, to high: Color, _ depth: ColorDepth) {
        let share = min(1, max(0, share))
        guard depth != .none else {
            let shades: [Character] = [" ", "░", "▒", "▓", "█"]
            put([Glyph(character: shades[Int((share * 4).rounded())], width: 1)], line.x, line.y)
            self.text(text, in: Rect(line.x + 1, line.y, line.width - 1, 1), .plain, .right)
            return
        }
        let background = Color.between(low, high, share)
        let style = Style(background.isBright ? Color(0x000000) : Color(0xffffff), on: background)
        put(repeatElement(.space, count: line.width), line.x, line.y, style)
        self.text(text, in: line, style, .right)
    }
}

extension Color {
    package static func between(_ a: Color, _ b: Color, _ share: Double) -> Color {
        guard case .rgb(let r, let g, let b1) = a, case .rgb(let r2, let g2, let b2) = b else { return a }
        let mix: (UInt8, UInt8) -> UInt8 = { UInt8((Double($0) + (Double($1) - Double($0)) * min(1, max(0, share))).rounded()) }
        return .rgb(mix(r, r2), mix(g, g2), mix(b1, b2))
    }

    /// The relative luminance from 0 to 1; `nil` for the terminal's default color.
    package var luminance: Double? {
        guard case .rgb(let r, let g, let b) = self else { return nil }
        return 0.2126 * Color.linear(r) + 0.7152 * Color.linear(g) + 0.0722 * Color.linear(b)
    }

    var isBright: Bool { (luminance ?? 0) > 0.18 }

    /// Approximates the sRGB curve by a polynomial, without a power function.
    private static func linear(_ value: UInt8) -> Double {
        let x = Double(value) / 255
        return x * (x * (x * 0.305306011 + 0.682171111) + 0.012522878)
    }
}
