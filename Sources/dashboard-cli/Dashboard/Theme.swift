// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The colours of everything that is drawn.
///
/// Each is as far from black as from white, so that it can be read on dark and on light ground; ordinary text has the terminal's own colour.
enum Theme {
    static let blue = Color(0x2d79c5)
    static let teal = Color(0x1a847f)
    static let green = Color(0x2d874d)
    static let amber = Color(0xa26c0e)
    static let red = Color(0xd24639)
    static let violet = Color(0x8862cf)
    static let gray = Color(0x777777)

    /// The weakest cell of a heat map, which has a ground of its own.
    static let pale = Color(0xd6e2ee)

    static let faint = Style(gray)
    static let title = Style.bold
    static let chart = Style(blue)
    static let bars = Style(teal)
    /// Of a time that is not over.
    static let open = Style(teal, .dim)
    static let good = Style(green)
    static let warning = Style(amber)
    static let bad = Style(red, .bold)
    static let key = Style(blue, .bold)
    /// The name of the pane that is shown.
    static let shown = Style(.standard, [.bold, .underline])
    /// One after the other for the lines of a chart.
    static let lines = [blue, amber, green, violet, red, teal].map { Style($0) }
}
