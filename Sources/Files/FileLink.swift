// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// A signed link to a file. Its holder may read the file until the link ends, without a key.
///
///     /v1/files/1/users/ann/photo.jpg?e=1795264100&s=x9Qm…
///
/// The signature is HMAC-SHA256, under a key of the data folder, over every field, so none can be changed.
package struct FileLink: Hashable, Sendable {
    package enum Disposition: String, Sendable, CaseIterable {
        case inline, attachment
    }

    package static let longestSeconds: Int64 = 7 * 86_400

    package var app: AppID
    package var path: FilePath
    /// The version of the file; nil for the newest one.
    package var generation: Int64?
    /// The end in seconds since 1970. At that second the link is no longer valid.
    package var expires: Int64
    package var disposition: Disposition?
    /// The number of the row that can be removed to revoke the link; nil for a link that only its time ends.
    package var revocable: Int64?

    package init(
        app: AppID, path: FilePath, generation: Int64? = nil, expires: Int64, disposition: Disposition? = nil, revocable: Int64? = nil
    ) {
        (self.app, self.path, self.generation, self.expires) = (app, path, generation, expires)
        (self.disposition, self.revocable) = (disposition, revocable)
    }

    /// The signed text. No field has a line end: a path has no control characters.
    private var message: [UInt8] {
        let fields = [
            "signalbox file link 1", String(app.rawValue), generation.map(String.init) ?? "*", String(expires), disposition?.rawValue ?? "",
            revocable.map(String.init) ?? "", path.text,
        ]
        return Array(fields.joined(separator: "\n").utf8)
    }

    package func signature(_ key: FileLinkKey) -> [UInt8] { HMACSHA256.authenticate(message, key: key.bytes) }

    /// Whether a signature is that of this link.
    package func isSigned(_ signature: [UInt8], with key: FileLinkKey) -> Bool { constantTimeEqual(self.signature(key), signature) }

    package func isOver(at now: Timestamp) -> Bool { now.milliseconds >= expires * 1_000 }

    // MARK: Query

    /// The parameters of the link's URL.
    package func parameters(_ key: FileLinkKey) -> [(name: String, value: String)] {
        var out: [(name: String, value: String)] = [("e", String(expires))]
        if let generation { out.append(("g", String(generation))) }
        if let disposition { out.append(("d", disposition.rawValue)) }
        if let revocable { out.append(("r", String(revocable))) }
        return out + [("s", Base64URL.encode(signature(key)))]
    }

    /// Reads a link from the parameters of a URL; nil unless it is signed.
    package init?(app: AppID, path: FilePath, parameters: [(name: String, value: String)], _ key: FileLinkKey) {
        var fields: [String: String] = [:]
        for (name, value) in parameters where ["e", "g", "d", "r", "s"].contains(where: { $0.hasSameBytes(as: name) }) {
            guard fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        guard let expires = fields["e"].flatMap(FileLink.number), let signature = fields["s"].flatMap({ Base64URL.decode($0) }) else { return nil }
        self.init(app: app, path: path, expires: expires)
        if let text = fields["g"] {
            guard let number = FileLink.number(text) else { return nil }
            generation = number
        }
        if let text = fields["r"] {
            guard let number = FileLink.number(text) else { return nil }
            revocable = number
        }
        if let text = fields["d"] {
            guard let known = Disposition.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else { return nil }
            disposition = known
        }
        guard isSigned(signature, with: key) else { return nil }
    }

    /// Reads digits without sign or leading zeros, so that a link has one text.
    static func number(_ text: String) -> Int64? {
        guard let number = Int64(text), number >= 0, String(number).hasSameBytes(as: text) else { return nil }
        return number
    }
}

/// The key of a data folder that signs links.
package struct FileLinkKey: Sendable {
    package static let length = 32
    let bytes: [UInt8]

    /// Returns nil for another number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == FileLinkKey.length else { return nil }
        self.bytes = bytes
    }
}
