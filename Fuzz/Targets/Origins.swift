// SPDX-License-Identifier: Apache-2.0

import Platform

/// A rule for web origins, and behind a line end the `Origin` and `Host` fields that it is compared with. A rule prints itself, and the
/// origins it matches are those of a plain comparison by parts.
enum Origins {
    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard let rule = OriginRule(lines[0]) else { return }
        accepted()
        require(rule.description.utf8.elementsEqual(lines[0].utf8), "the rule is printed as \(rule)")
        guard lines.count > 1 else { return }
        require(rule.matches(lines[1]) == matches(lines[0], lines[1]), "\(rule) and \(lines[1].debugDescription)")
        guard lines.count > 2, WebOrigin.isServed(lines[1], at: lines[2]) else { return }
        require(WebOrigin.isOne(lines[1]) && lines[2].utf8.allSatisfy { $0 < 0x80 }, "\(lines[1].debugDescription) is served")
    }

    private static func matches(_ rule: String, _ origin: String) -> Bool {
        guard origin.utf8.count <= 512, !origin.isEmpty, origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return false }
        guard rule != "*" else { return true }
        guard let star = rule.firstRange(of: "*.") else { return Array(rule.utf8) == Array(origin.utf8) }
        guard WebOrigin.isOne(origin), origin.hasPrefix(rule[..<star.lowerBound]) else { return false }
        let domain = rule[star.upperBound...]
        let labels = origin.dropFirst(rule[..<star.lowerBound].count)
        return labels.hasSuffix("." + domain) && labels.count > domain.count + 1 && !labels.hasPrefix(".")
    }
}
