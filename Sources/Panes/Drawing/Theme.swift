// SPDX-License-Identifier: Apache-2.0

package import Terminal

/// The colors of the dashboard.
///
/// Each is readable on dark and on light backgrounds. Ordinary text has the color of the terminal.
package enum Theme {
    package static let blue = Color(0x2d79c5)
    package static let teal = Color(0x1a847f)
    package static let green = Color(0x2d874d)
    package static let amber = Color(0xa26c0e)
    package static let red = Color(0xd24639)
    package static let violet = Color(0x8862cf)
    package static let gray = Color(0x777777)

    /// The lowest value of a heat map.
    static let pale = Color(0xd6e2ee)

    package static let faint = Style(gray)
    package static let title = Style.bold
    package static let chart = Style(blue)
    package static let bars = Style(teal)
    /// A period that is still running.
    package static let open = Style(teal, .dim)
    package static let good = Style(green)
    package static let warning = Style(amber)
    package static let bad = Style(red, .bold)
    package static let key = Style(blue, .bold)
    /// The tab of the shown pane.
    package static let shown = Style(.standard, [.bold, .underline])
    /// The lines of a chart, in order.
    package static let lines = [blue, amber, green, violet, red, teal].map { Style($0) }
}
