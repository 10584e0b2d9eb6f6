// SPDX-License-Identifier: Apache-2.0

/// Untrusted text made safe for a terminal: `?` replaces scalars that control the terminal or reorder the line.
///
///     TerminalText("shop\u{1b}[31m")        shop?[31m
///     TerminalText("\u{202e}gpj.exe\r\n")   ?gpj.exe, with its line end
///     TerminalText(cell: "a\nb")            a?b
package struct TerminalText: Sendable, Hashable {
    package let text: String

    /// Keeps line ends (LF, CR LF) and tabs.
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

    /// Replaces line ends and tabs too, for a cell of a table.
    package init(cell outside: String) {
        text = String(String.UnicodeScalarView(outside.unicodeScalars.map { $0.steers ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var steers: Bool { isControl || isLineBreak || isBidirectionalControl }
}
