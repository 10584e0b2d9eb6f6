// SPDX-License-Identifier: Apache-2.0

/// A frame as an SVG picture in the colors of a dark terminal.
///
/// Blocks, lines and dots are drawn as shapes, so that they join with every font. Texts are fitted to their cells.
package struct Picture: Sendable {
    private let frame: Frame
    static let cell = Size(10, 20)
    private static let margin = 16
    private static let (ground, ink) = ("#14171a", "#d6dade")

    package init(_ frame: Frame) {
        self.frame = frame
    }

    package var svg: String {
        let width = frame.size.width * Picture.cell.width + 2 * Picture.margin
        let height = frame.size.height * Picture.cell.height + 2 * Picture.margin
        var (grounds, layers) = (Layers<String>(), Layers<Ink>())
        for y in 0..<frame.size.height { addRow(y, &grounds, &layers) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="ui-monospace,'SF Mono',Menlo,'DejaVu Sans Mono',Consolas,monospace" font-size="16.6">
            <rect width="\(width)" height="\(height)" rx="10" fill="\(Picture.ground)"/>
            <g transform="translate(\(Picture.margin) \(Picture.margin))">
            \(grounds.all.map { "<g fill=\"\($0)\">\($1.svg)</g>\n" }.joined())\
            \(layers.all.map { "<g \($0.attributes)>\($1.svg)</g>\n" }.joined())\
            </g>
            </svg>

            """
    }

    private func addRow(_ y: Int, _ grounds: inout Layers<String>, _ layers: inout Layers<Ink>) {
        var run: TextRun?
        func end() {
            if let run { layers[run.ink].texts.append(run.svg) }
            run = nil
        }
        for x in 0..<frame.size.width {
            let cell = frame[x, y]
            let (ink, ground) = colors(cell.style)
            if let ground { grounds[ground].rects.append(PictureRect(x, y)) }
            guard let glyph = cell.glyph else { continue }
            if cell.style.attributes.contains(.underline) {
                layers[ink].rects.append(PictureRect(x, y, from: (0, 17.5), width: Double(10 * glyph.width), 1.5))
            }
            if glyph == .space {
                run?.add(glyph)
            } else if layers[ink].add(glyph, x, y) {
                end()
            } else if !glyph.isPlainText {
                end()
                layers[ink].texts.append(TextRun(glyph, x, y, ink).svgInTheMiddle)
            } else if run?.ink == ink, run?.isOpen == true {
                run?.add(glyph)
            } else {
                end()
                run = TextRun(glyph, x, y, ink)
            }
        }
        end()
    }

    private func colors(_ style: Style) -> (ink: Ink, ground: String?) {
        let (front, back) = (style.foreground.hex ?? Picture.ink, style.background.hex)
        let isReverse = style.attributes.contains(.reverse)
        let ink = Ink(
            color: isReverse ? back ?? Picture.ground : front, isBold: style.attributes.contains(.bold), isDim: style.attributes.contains(.dim))
        return (ink, isReverse ? front : back)
    }
}

/// A color and its attributes.
private struct Ink: Hashable {
    let color: String
    let isBold: Bool
    let isDim: Bool

    var attributes: String {
        "color=\"\(color)\" fill=\"currentColor\"\(isBold ? " font-weight=\"bold\"" : "")\(isDim ? " opacity=\"0.6\"" : "")"
    }
}

/// Layers by ink, ordered by first use.
private struct Layers<Key: Hashable> {
    private var keys: [Key] = []
    private var layers: [Key: PictureLayer] = [:]

    var all: [(Key, PictureLayer)] { keys.compactMap { key in layers[key].map { (key, $0) } } }

    subscript(key: Key) -> PictureLayer {
        get { layers[key] ?? PictureLayer() }
        set {
            if layers[key] == nil { keys.append(key) }
            layers[key] = newValue
        }
    }
}

/// A run of adjacent letters with an explicit length, because fonts differ.
private struct TextRun {
    let ink: Ink
    private let (x, y): (Int, Int)
    private var text: String
    private var width: Int
    /// Trailing spaces, which belong to the run only if more letters follow.
    private var spaces = 0

    init(_ glyph: Glyph, _ x: Int, _ y: Int, _ ink: Ink) {
        (self.x, self.y, self.ink) = (x, y, ink)
        (text, width) = (String(glyph.character), glyph.width)
    }

    /// Words one space apart belong to one run; a wider gap begins a new one.
    var isOpen: Bool { spaces <= 1 }

    mutating func add(_ glyph: Glyph) {
        guard glyph != .space else { return spaces += 1 }
        text += String(repeating: " ", count: spaces) + String(glyph.character)
        width += spaces + glyph.width
        spaces = 0
    }

    private var base: Int { y * Picture.cell.height + 15 }

    var svg: String {
        let place = "x=\"\(x * Picture.cell.width)\" y=\"\(base)\""
        return "<text \(place) textLength=\"\(width * Picture.cell.width)\" lengthAdjust=\"spacingAndGlyphs\">\(SVGText(text).source)</text>\n"
    }

    /// The text centered in its cells, for a glyph that may come from another font than its neighbors.
    var svgInTheMiddle: String {
        "<text x=\"\(x * Picture.cell.width + width * Picture.cell.width / 2)\" y=\"\(base)\" text-anchor=\"middle\">\(SVGText(text).source)</text>\n"
    }
}

extension Glyph {
    /// Whether every terminal font has the glyph in the common width.
    fileprivate var isPlainText: Bool {
        guard width == 1, let scalar = character.unicodeScalars.first else { return false }
        return scalar.value < 0x250 || [0x2013, 0x2014, 0x2026, 0x2212].contains(scalar.value)
    }
}

extension Color {
    /// The color as `#rrggbb`; `nil` for the terminal's default.
    fileprivate var hex: String? {
        guard case .rgb(let r, let g, let b) = self else { return nil }
        let digits = Array("0123456789abcdef")
        return "#" + [r, g, b].map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    }
}
