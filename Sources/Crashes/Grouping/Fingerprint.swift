// SPDX-License-Identifier: Apache-2.0

/// A grouping fingerprint set by the reporter. `{{ default }}` among its parts is replaced by the rule's own hash.
///
///     ["payment", "{{ default }}"]  →  one group per default group and the word `payment`
struct Fingerprint {
    private let parts: [String]

    /// Returns nil if the fingerprint is empty or only `{{ default }}`.
    init?(_ parts: [String]) {
        guard !parts.allSatisfy(Fingerprint.isDefault) else { return nil }
        self.parts = parts
    }

    func hash(kind: CrashKind, rule: [UInt8]) -> [UInt8] {
        var hash = StableHash()
        hash.add(part: "fingerprint")
        hash.add(UInt8(kind.rawValue))
        for part in parts {
            if Fingerprint.isDefault(part) { hash.add(rule) } else { hash.add(part: part) }
        }
        return hash.bytes
    }

    func reason(rule: String) -> String {
        let own = parts.filter { !Fingerprint.isDefault($0) }.joined(separator: ", ").prefix(200)
        return parts.contains(where: Fingerprint.isDefault) ? "fingerprint: \(own); \(rule)" : "fingerprint: \(own)"
    }

    private static func isDefault(_ part: String) -> Bool {
        guard part.utf8.first == UInt8(ascii: "{") else { return false }
        return part.utf8.filter { $0 != UInt8(ascii: " ") }.elementsEqual("{{default}}".utf8)
    }
}
