// SPDX-License-Identifier: Apache-2.0

/// What a reporter says belongs together. `{{ default }}` among its parts stands for what the rule would have said.
struct Fingerprint {
    private let parts: [String]

    /// Nil where it says nothing of its own.
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
