/// A frame as a picture that scales, in the colours of a dark terminal.
package struct Picture: Sendable {
    private let frame: Frame
    private static let cell = Size(9, 19)
    private static let margin = 10
    private static let (ground, ink) = ("#14171a", "#d6dade")

    package init(_ frame: Frame) {
        self.frame = frame
    }

    package var svg: String {
        let width = frame.size.width * Picture.cell.width + 2 * Picture.margin
        let height = frame.size.height * Picture.cell.height + 2 * Picture.margin
        var out = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="15" xml:space="preserve">
            <rect width="100%" height="100%" rx="8" fill="\(Picture.ground)"/>

            """
        for y in 0..<frame.size.height { addRow(y, to: &out) }
        return out + "</svg>\n"
    }

    /// Neighbours of one style go together; each run says its length, since fonts differ.
    private func addRow(_ y: Int, to out: inout String) {
        var x = 0
        while x < frame.size.width {
            let style = frame[x, y].style
            var (end, text) = (x, "")
            while end < frame.size.width, frame[end, y].style == style {
                if let glyph = frame[end, y].glyph { text.append(glyph.character) }
                end += 1
            }
            add(text, from: x, to: end, y, style, to: &out)
            x = end
        }
    }

    private func add(_ text: String, from x: Int, to end: Int, _ y: Int, _ style: Style, to out: inout String) {
        let isReverse = style.attributes.contains(.reverse)
        let (front, back) = (style.foreground.hex ?? Picture.ink, style.background.hex)
        let (ink, ground) = isReverse ? (back ?? Picture.ground, front) : (front, back)
        let place = (x: Picture.margin + x * Picture.cell.width, y: Picture.margin + y * Picture.cell.height)
        let width = (end - x) * Picture.cell.width
        if let ground { out += "<rect x=\"\(place.x)\" y=\"\(place.y)\" width=\"\(width)\" height=\"\(Picture.cell.height)\" fill=\"\(ground)\"/>\n" }
        guard text.contains(where: { $0 != " " }) else { return }
        var attributes = "x=\"\(place.x)\" y=\"\(place.y + 14)\" textLength=\"\(width)\" lengthAdjust=\"spacingAndGlyphs\" fill=\"\(ink)\""
        if style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
        if style.attributes.contains(.dim) { attributes += " opacity=\"0.6\"" }
        if style.attributes.contains(.underline) { attributes += " text-decoration=\"underline\"" }
        out += "<text \(attributes)>\(Picture.escaped(text))</text>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { out, character in
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            default: out.append(character)
            }
        }
    }
}

extension Color {
    /// As `#rrggbb`; nil for the terminal's own.
    fileprivate var hex: String? {
        guard case .rgb(let r, let g, let b) = self else { return nil }
        let digits = Array("0123456789abcdef")
        return "#" + [r, g, b].map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    }
}
