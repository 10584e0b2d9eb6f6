// SPDX-License-Identifier: Apache-2.0

import Crypto
import Messaging
import Platform

/// Secrets that were replaced and sign beside the one that did it until their grace is over, the newest first.
///
/// A client whose answer was lost asks for another secret, and again: what it knows is then the oldest of them.
struct ReplacedSecrets: Equatable {
    private struct Entry: Equatable {
        var key: SigningKey
        var until: Timestamp
    }

    /// More would make the header of every delivery long; the oldest go.
    static let most = 4

    private var entries: [Entry] = []

    /// Reads a column: a line for each, with when it ends in milliseconds, the scheme's number, and the bytes in hexadecimal.
    init(_ text: String?) {
        for line in (text ?? "").split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 3, let until = Int64(parts[0]), let scheme = Int(parts[1]).flatMap(SigningKey.Scheme.init),
                let bytes = Hex.decode(parts[2])
            else { continue }
            entries.append(Entry(key: SigningKey(scheme, bytes), until: Timestamp(milliseconds: until)))
        }
    }

    /// Nil where there are none.
    var text: String? {
        let lines = entries.map { "\($0.until.milliseconds) \($0.key.scheme.rawValue) \(Hex.encode($0.key.bytes))" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    func keys(at now: Timestamp) -> [SigningKey] {
        entries.filter { $0.until > now }.map(\.key)
    }

    /// With one more, less those whose time is over and the one that signs from now on, should it be among them.
    func adding(_ key: SigningKey, until end: Timestamp, besides current: SigningKey, at now: Timestamp) -> ReplacedSecrets {
        var result = self
        result.entries.removeAll { $0.until <= now || $0.key == key || $0.key == current }
        result.entries.insert(Entry(key: key, until: end), at: 0)
        result.entries = Array(result.entries.prefix(ReplacedSecrets.most))
        return result
    }
}
