// SPDX-License-Identifier: Apache-2.0

import Crypto
import Messaging
import Platform

/// Replaced secrets that still sign beside the current one until their grace period ends, the newest first.
///
/// A client that lost the response of a rotation rotates again. It then knows only an older secret, so several are kept:
///
///     rotate → B      signatures by B and A
///     rotate → C      signatures by C, B and A; a client that knows only A still verifies
///     24 hours later  signatures by C
struct ReplacedSecrets: Equatable {
    private struct Entry: Equatable {
        var key: SigningKey
        var until: Timestamp
    }

    /// The limit of replaced secrets, because each adds a signature to a header of every delivery. The oldest are dropped.
    static let most = 4

    private var entries: [Entry] = []

    /// Reads the column's text: a line per secret with its end in milliseconds, the scheme's number and the bytes in hexadecimal.
    ///
    ///     1764063510000 1 9f86d081884c7d65
    init(_ text: String?) {
        for line in (text ?? "").split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 3, let until = Int64(parts[0]), let scheme = Int(parts[1]).flatMap(SigningKey.Scheme.init),
                let bytes = Hex.decode(parts[2])
            else { continue }
            entries.append(Entry(key: SigningKey(scheme, bytes), until: Timestamp(milliseconds: until)))
        }
    }

    /// The text of the column. Nil if there are no secrets.
    var text: String? {
        let lines = entries.map { "\($0.until.milliseconds) \($0.key.scheme.rawValue) \(Hex.encode($0.key.bytes))" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    func keys(at now: Timestamp) -> [SigningKey] {
        entries.filter { $0.until > now }.map(\.key)
    }

    /// Returns the list with another secret, without expired ones and without `current`.
    func adding(_ key: SigningKey, until end: Timestamp, besides current: SigningKey, at now: Timestamp) -> ReplacedSecrets {
        var result = self
        result.entries.removeAll { $0.until <= now || $0.key == key || $0.key == current }
        result.entries.insert(Entry(key: key, until: end), at: 0)
        result.entries = Array(result.entries.prefix(ReplacedSecrets.most))
        return result
    }
}
