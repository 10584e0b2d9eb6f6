// SPDX-License-Identifier: Apache-2.0

import Crashes

/// A version with a build: `1.2 (34)` on the Mac, `34 (1.2)` elsewhere. Translated reports use both orders.
struct AppleVersion {
    var version: String?
    var build: String?

    init(_ text: String, isOuterFirst: Bool) {
        let parts = text.split(separator: "(", maxSplits: 1).map { $0.trimmed.prefix { $0 != ")" } }
        guard let outer = parts.first, outer != "???" else { return }
        guard parts.count == 2, parts[1] != "???" else {
            version = outer.ifAny
            return
        }
        let isOuter = outer.contains(".") == parts[1].contains(".") ? isOuterFirst : outer.contains(".")
        version = (isOuter ? outer : parts[1]).ifAny
        build = (isOuter ? parts[1] : outer).ifAny
    }
}

/// The runtime's message about an uncaught exception: `*** Terminating app due to uncaught exception 'NAME', reason: 'TEXT'`.
struct ThrownText {
    var name: String
    var reason: String?

    init?(_ text: String) {
        let quoted = text.split(separator: "'", maxSplits: 3, omittingEmptySubsequences: false)
        guard quoted.count >= 3, !quoted[1].isEmpty, String(quoted[0]).utf8.holds("uncaught exception".utf8) else { return nil }
        name = String(quoted[1]).prefix(scalars: CrashLimits.typeCharacters)
        guard quoted.count == 4, let end = quoted[3].lastIndex(of: "'") else { return }
        reason = quoted[3][..<end].ifAny
    }
}

extension StringProtocol {
    /// The text, or nil if it is empty.
    var ifAny: String? { isEmpty ? nil : String(self) }
}

extension Substring {
    /// The text without surrounding spaces and tabs.
    var trimmed: Substring {
        let bytes = utf8
        guard let start = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }), let end = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else {
            return self[endIndex...]
        }
        return self[start...end]
    }

    /// Returns the words between spaces. The last of `count` words holds the rest.
    func words(atMost count: Int = .max) -> [Substring] {
        utf8.split(separator: 0x20, maxSplits: count - 1).map { Substring($0) }
    }

    /// The text up to the next space or tab.
    var word: Substring { Substring(utf8.prefix { $0 != 0x20 && $0 != 0x09 }) }

    /// The start of the first word that is an address.
    var addressStart: Index? {
        var previous: UInt8 = 0
        var at = utf8.startIndex
        while at < utf8.endIndex {
            let byte = utf8[at]
            let next = utf8.index(after: at)
            if byte == UInt8(ascii: "0"), previous == 0x20 || previous == 0x09, next < utf8.endIndex, utf8[next] == UInt8(ascii: "x") { return at }
            previous = byte
            at = next
        }
        return nil
    }
}

extension String.UTF8View {
    /// Whether the text contains `part`.
    func holds(_ part: String.UTF8View) -> Bool {
        var at = startIndex
        while at < endIndex {
            if self[at...].starts(with: part) { return true }
            at = index(after: at)
        }
        return false
    }
}
