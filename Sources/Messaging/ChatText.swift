// SPDX-License-Identifier: Apache-2.0

import Platform

/// Text of an alert that a chat may show, on one line: it calls nobody, hides no address and begins no markup.
///
/// Slack, Discord, Teams, Mattermost and Telegram read markup of different kinds, and alerts hold what apps have sent. What could be markup is written
/// with a sign that looks alike; invisible scalars go, and line ends become blanks. All rules are about scalars: an accent or a prepended sign beside a
/// token changes nothing.
///
///     <!channel> @here                     ‹!channel› ＠here
///     [Sign in](https://evil.example)      [Sign in］(https://evil.example)
///     shop@2.4.1: a\r\n```b                shop@2.4.1: a '''b
package struct ChatText: Sendable, Hashable {
    package let text: String

    /// Cut to at most `limit` scalars.
    package init(_ outside: String, limit: Int = 1_000) {
        var line = ChatText.shownLine(outside, atMost: limit + 1)
        if line.count > limit { line[(limit - 1)...] = ["…"] }
        var out = String.UnicodeScalarView()
        for index in line.indices { out.append(ChatText.plain(at: index, of: line)) }
        text = String(out)
    }

    /// The scalars that show, from the first that is no blank on, with one blank for each run of blanks, line ends and controls.
    private static func shownLine(_ text: String, atMost limit: Int) -> [Unicode.Scalar] {
        var line: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars where !scalar.isInvisible {
            guard line.count < limit else { break }
            let isBlank = scalar.isControl || scalar.isLineBreak || scalar.properties.isWhitespace
            if !isBlank { line.append(scalar) } else if let last = line.last, last != " " { line.append(" ") }
        }
        if line.last == " " { line.removeLast() }
        return line
    }

    // MARK: Signs

    private static func plain(at index: Int, of line: [Unicode.Scalar]) -> Unicode.Scalar {
        let scalar = line[index]
        return switch scalar {
        case "<": "‹"
        case ">": "›"
        case "`": "'"
        case "@": isOfRelease(index, line) ? "@" : "＠"
        case "]": closesLinkText(index, line) ? "］" : "]"
        case "&": isOfEntity(index, line) ? "＆" : "&"
        case "#", "*", "+", "-", "=", "_", "|", "~": beginsBlock(index, line) ? fullWidth(scalar) : scalar
        default: scalar
        }
    }

    /// `shop@2.4.1`, as releases are called: no chat has names that begin with a digit.
    private static func isOfRelease(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        guard index > 0, index + 1 < line.count else { return false }
        return isNameEnd(line[index - 1]) && ("0"..."9").contains(line[index + 1])
    }

    private static func isNameEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    /// Whether the address of a link follows, marks that sit on the bracket aside.
    private static func closesLinkText(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        line[(index + 1)...].first { !$0.isCombiningMark } == "("
    }

    /// `&lt;` and `&#60;` are signs again where a chat reads HTML.
    private static func isOfEntity(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        guard index + 1 < line.count else { return false }
        return line[index + 1] == "#" || isNameEnd(line[index + 1])
    }

    /// Only the beginning of a line makes headings, lists, rules, tables and fences; `-[Cart pay]` and `_main` are names.
    private static func beginsBlock(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        guard index == 0 else { return false }
        guard line[0] != "#", line.count > 1 else { return true }
        return line[1] != "[" && !isNameEnd(line[1])
    }

    /// The sign of the same look that is as wide as an ideograph.
    private static func fullWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar { Unicode.Scalar(scalar.value + 0xfee0) ?? scalar }
}
