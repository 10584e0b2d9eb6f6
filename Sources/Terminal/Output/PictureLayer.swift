// SPDX-License-Identifier: Apache-2.0

/// Everything drawn with one ink: rectangles, dots of charts, and texts.
struct PictureLayer: Sendable {
    var rects: [PictureRect] = []
    /// Cells with a shade: `░▒▓`.
    private var shades: [Int: [PictureRect]] = [:]
    /// Dot columns by dot row.
    private var dots: [Int: [Int]] = [:]
    var texts: [String] = []

    /// Adds a glyph that is a shape. Returns false for text.
    mutating func add(_ glyph: Glyph, _ x: Int, _ y: Int) -> Bool {
        guard let value = glyph.character.unicodeScalars.first?.value else { return false }
        switch value {
        case 0x2800...0x28ff: addDots(UInt8(truncatingIfNeeded: value), x, y)
        case 0x2591...0x2593: shades[Int(value - 0x2590), default: []].append(PictureRect(x, y))
        default:
            guard let parts = PictureRect.parts(of: value) else { return false }
            rects += parts.map { PictureRect(x, y, from: ($0.x, $0.y), width: $0.width, $0.height) }
        }
        return true
    }

    private mutating func addDots(_ bits: UInt8, _ x: Int, _ y: Int) {
        for row in 0..<4 {
            for (column, side) in [Braille.Side.left, .right].enumerated() where bits & Braille.dot(side, row) != 0 {
                dots[4 * y + row, default: []].append(2 * x + column)
            }
        }
    }

    // MARK: As SVG

    var svg: String {
        var out = PictureLayer.path(rects, "")
        for (shade, cells) in shades.sorted(by: { $0.key < $1.key }) { out += PictureLayer.path(cells, " fill-opacity=\"0.\(shade * 25)\"") }
        return out + dotted + texts.joined()
    }

    /// Edges are on pixels, so that neighbors join without a seam.
    private static func path(_ rects: [PictureRect], _ attributes: String) -> String {
        guard !rects.isEmpty else { return "" }
        return "<path shape-rendering=\"crispEdges\"\(attributes) d=\"\(PictureRect.joined(rects).map(\.path).joined())\"/>\n"
    }

    /// A dot is in the middle of a square of five by five. A row of dots is one stroke with dashes of almost no length.
    private var dotted: String {
        guard !dots.isEmpty else { return "" }
        let strokes = dots.sorted { $0.key < $1.key }.flatMap { row, columns in
            PictureLayer.runs(columns).map { "M\($0.lowerBound) \(row)h\($0.count - 1).01" }
        }
        return """
            <path transform="translate(2.5 2.5)scale(5)" fill="none" stroke="currentColor" stroke-width=".6" stroke-linecap="round" \
            stroke-dasharray=".01 .99" d="\(strokes.joined())"/>

            """
    }

    private static func runs(_ numbers: [Int]) -> [ClosedRange<Int>] {
        numbers.sorted().reduce(into: []) { runs, number in
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
    }
}

/// A rectangle in units of the picture.
struct PictureRect: Sendable, Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// Creates a rectangle of a cell or a part of it.
    init(_ column: Int, _ row: Int, from start: (x: Double, y: Double) = (0, 0), width: Double = 10, _ height: Double = 20) {
        (x, y) = (Double(column * Picture.cell.width) + start.x, Double(row * Picture.cell.height) + start.y)
        (self.width, self.height) = (width, height)
    }

    /// Returns the rectangles of block elements and lines within a cell; `nil` for other characters.
    static func parts(of value: UInt32) -> [PictureRect]? {
        let part: (Double, Double, Double, Double) -> PictureRect = { PictureRect(0, 0, from: ($0, $1), width: $2, $3) }
        switch value {
        case 0x2580: return [part(0, 0, 10, 10)]
        case 0x2581...0x2588:
            let height = 2.5 * Double(value - 0x2580)
            return [part(0, 20 - height, 10, height)]
        case 0x2589...0x258f: return [part(0, 0, 1.25 * Double(0x2590 - value), 20)]
        case 0x2590: return [part(5, 0, 5, 20)]
        case 0x2594: return [part(0, 0, 10, 2.5)]
        case 0x2595: return [part(8.75, 0, 1.25, 20)]
        default: return lines[value].map { arms(of: $0, thick: heavy.contains(value) ? 3 : 1.5) }
        }
    }

    private static let heavy: Set<UInt32> = [0x2501, 0x2503]
    /// The directions of each line from the middle of its cell: up, right, down, left.
    private static let lines: [UInt32: [Character]] = [
        0x2500: ["r", "l"], 0x2501: ["r", "l"], 0x2502: ["u", "d"], 0x2503: ["u", "d"], 0x250c: ["r", "d"], 0x2510: ["d", "l"],
        0x2514: ["u", "r"], 0x2518: ["u", "l"], 0x251c: ["u", "r", "d"], 0x2524: ["u", "d", "l"], 0x252c: ["r", "d", "l"],
        0x2534: ["u", "r", "l"], 0x253c: ["u", "r", "d", "l"], 0x256d: ["r", "d"], 0x256e: ["d", "l"], 0x256f: ["u", "l"], 0x2570: ["u", "r"],
    ]

    private static func arms(of directions: [Character], thick: Double) -> [PictureRect] {
        let half = thick / 2
        return directions.map { direction in
            switch direction {
            case "u": PictureRect(0, 0, from: (5 - half, 0), width: thick, 10 + half)
            case "d": PictureRect(0, 0, from: (5 - half, 10 - half), width: thick, 10 + half)
            case "r": PictureRect(0, 0, from: (5 - half, 10 - half), width: 5 + half, thick)
            default: PictureRect(0, 0, from: (0, 10 - half), width: 5 + half, thick)
            }
        }
    }

    /// Joins neighbors of the same height.
    static func joined(_ rects: [PictureRect]) -> [PictureRect] {
        rects.sorted { ($0.y, $0.height, $0.x) < ($1.y, $1.height, $1.x) }.reduce(into: []) { out, rect in
            if let last = out.last, last.y == rect.y, last.height == rect.height, rect.x <= last.x + last.width {
                out[out.count - 1].width = max(last.width, rect.x + rect.width - last.x)
            } else {
                out.append(rect)
            }
        }
    }

    var path: String {
        let text: (Double) -> String = { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
        return "M\(text(x)) \(text(y))h\(text(width))v\(text(height))h-\(text(width))z"
    }
}
