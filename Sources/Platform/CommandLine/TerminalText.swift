// SPDX-License-Identifier: Apache-2.0

/// Outside text as it may be printed to a terminal: each scalar that would move the cursor, colour the screen, name the window or reorder the line is `?`.
///
///     TerminalText("shop\u{1b}[31m")        shop?[31m
///     TerminalText("\u{202e}gpj.exe\r\n")   ?gpj.exe, and the line end as it was
///     TerminalText(cell: "a\nb")            a?b
package struct TerminalText: Sendable, Hashable {
    package let text: String

    /// Line ends (LF, CR LF) and tabs stay.
    package init(_ outside: String) {
        guard outside.unicodeScalars.contains(where: \.steers) else {
            text = outside
            return
        }
        var out = String.UnicodeScalarView()
        let scalars = outside.unicodeScalars
        for (index, scalar) in zip(scalars.indices, scalars) {
            let next = scalars.index(after: index)
            let endsLine = scalar == "\n" || scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
            out.append(scalar.steers && scalar != "\t" && !endsLine ? "?" : scalar)
        }
        text = String(out)
    }

    /// For what must stay on its line and in its column: line ends and tabs are `?` as well.
    package init(cell outside: String) {
        text = String(String.UnicodeScalarView(outside.unicodeScalars.map { $0.steers ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var steers: Bool { isControl || isLineBreak || isBidirectionalControl }
}
