// SPDX-License-Identifier: Apache-2.0

import Platform

/// A text of an alert that is safe in a chat, on one line: it mentions nobody, hides no address and starts no markup.
///
/// Slack, Discord, Teams, Mattermost and Telegram interpret different markup, and alerts contain text from apps. Characters that could be
/// markup are replaced with similar ones; invisible scalars are removed, and line ends become spaces. All rules are about scalars: an
/// accent or a prepended sign beside a token changes nothing.
///
///     <!channel> @here                     ‹!channel› ＠here
///     [Sign in](https://evil.example)      [Sign in］(https://evil.example)
///     shop@2.4.1: a\r\n```b                shop@2.4.1: a '''b
package struct ChatText: Sendable, Hashable {
    package let text: String

    /// Creates the text from untrusted input, cut to at most `limit` scalars.
    package init(_ outside: String, limit: Int = 1_000) {
        var line = ChatText.shownLine(outside, atMost: limit + 1)
        if line.count > limit { line[(limit - 1)...] = ["…"] }
        var out = String.UnicodeScalarView()
        for index in line.indices { out.append(ChatText.plain(at: index, of: line)) }
        text = String(out)
    }

    /// Returns the visible scalars without leading spaces. Each run of spaces, line ends and controls becomes one space.
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

    // MARK: Characters

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

    /// Whether the sign is part of a release name such as `shop@2.4.1`. No chat has user names that begin with a digit.
    private static func isOfRelease(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        guard index > 0, index + 1 < line.count else { return false }
        return isNameEnd(line[index - 1]) && ("0"..."9").contains(line[index + 1])
    }

    private static func isNameEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    /// Whether the address of a link follows, ignoring combining marks on the bracket.
    private static func closesLinkText(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        line[(index + 1)...].first { !$0.isCombiningMark } == "("
    }

    /// Whether the sign begins `&lt;` or `&#60;`, which a chat with HTML would decode.
    private static func isOfEntity(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        guard index + 1 < line.count else { return false }
        return line[index + 1] == "#" || isNameEnd(line[index + 1])
    }

    /// Whether the sign begins a block. Only the start of a line makes headings, lists, rules, tables and fences; `-[Cart pay]` and `_main`
    /// are names.
    private static func beginsBlock(_ index: Int, _ line: [Unicode.Scalar]) -> Bool {
        guard index == 0 else { return false }
        guard line[0] != "#", line.count > 1 else { return true }
        return line[1] != "[" && !isNameEnd(line[1])
    }

    /// Returns the full-width form of the sign.
    private static func fullWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar { Unicode.Scalar(scalar.value + 0xfee0) ?? scalar }
}
