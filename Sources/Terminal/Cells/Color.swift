// SPDX-License-Identifier: Apache-2.0

/// A color of a cell. The painter reduces it to the colors of the terminal.
package enum Color: Hashable, Sendable {
    /// The terminal's default color.
    case standard
    case rgb(UInt8, UInt8, UInt8)

    package init(_ hex: UInt32) {
        self = .rgb(UInt8(hex >> 16 & 0xff), UInt8(hex >> 8 & 0xff), UInt8(hex & 0xff))
    }
}

/// The number of colors of a terminal.
package enum ColorDepth: Sendable, CaseIterable {
    case none, basic, indexed, full

    /// Detects the depth from the conventional variables NO_COLOR, TERM and COLORTERM.
    package init(_ environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false || term.isEmpty || term == "dumb" {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || term.hasSuffix("-direct") {
            self = .full
        } else {
            self = term.contains("256") ? .indexed : .basic
        }
    }

    /// Returns the bytes that select a style, independent of the previous one.
    func sequence(_ style: Style) -> [UInt8] {
        let attributes: [(Style.Attributes, UInt8)] = [(.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7)]
        let codes =
            [0] + attributes.filter { style.attributes.contains($0.0) }.map(\.1) + parameters(style.foreground, isBackground: false)
            + parameters(style.background, isBackground: true)
        return Array("\u{1b}[\(codes.map { String($0) }.joined(separator: ";"))m".utf8)
    }

    /// The SGR parameters of a color; empty for the terminal's default.
    private func parameters(_ color: Color, isBackground: Bool) -> [UInt8] {
        guard case .rgb(let r, let g, let b) = color else { return [] }
        switch self {
        case .none: return []
        case .full: return [isBackground ? 48 : 38, 2, r, g, b]
        case .indexed: return [isBackground ? 48 : 38, 5, ColorDepth.index(r, g, b)]
        case .basic:
            let index = ColorDepth.basicIndex(r, g, b)
            return [(index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0)]
        }
    }

    /// The nearest color of the cube of 216 and the ramp of 24 grays.
    private static func index(_ r: UInt8, _ g: UInt8, _ b: UInt8) -> UInt8 {
        let levels = [r, g, b].map { value in cube.indices.min { distance(cube[$0], value) < distance(cube[$1], value) } ?? 0 }
        let inCube = (UInt8(16 + 36 * levels[0] + 6 * levels[1] + levels[2]), (cube[levels[0]], cube[levels[1]], cube[levels[2]]))
        let mean = (Int(r) + Int(g) + Int(b)) / 3
        let step = min(max((mean - 3) / 10, 0), 23)
        let gray = UInt8(8 + 10 * step)
        let isGrayNearer = distance((gray, gray, gray), (r, g, b)) < distance(inCube.1, (r, g, b))
        return isGrayNearer ? UInt8(232 + step) : inCube.0
    }

    private static func basicIndex(_ r: UInt8, _ g: UInt8, _ b: UInt8) -> UInt8 {
        UInt8(basicColors.indices.min { distance(basicColors[$0], (r, g, b)) < distance(basicColors[$1], (r, g, b)) } ?? 7)
    }

    private static let cube: [UInt8] = [0, 95, 135, 175, 215, 255]
    /// Approximate values of the basic colors, whose shades differ by terminal. The bright ones are omitted because they are unreadable on a
    /// light background.
    private static let basicColors: [(UInt8, UInt8, UInt8)] = [
        (0, 0, 0), (210, 40, 40), (0, 150, 0), (165, 120, 0), (20, 80, 220), (170, 0, 170), (0, 140, 150), (229, 229, 229),
        (118, 118, 118),
    ]

    private static func distance(_ a: UInt8, _ b: UInt8) -> Int { abs(Int(a) - Int(b)) }

    private static func distance(_ a: (UInt8, UInt8, UInt8), _ b: (UInt8, UInt8, UInt8)) -> Int {
        let (r, g, b) = (distance(a.0, b.0), distance(a.1, b.1), distance(a.2, b.2))
        return r * r + g * g + b * b
    }
}
