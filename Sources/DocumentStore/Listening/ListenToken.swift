// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
package import Listening
package import Platform
import SignalboxDocumentModel

/// The place of a client in the history of documents: a commit, and the targets that showed it.
///
///     commit (8 bytes) ‖ 6 bytes of the hash of each target ‖ 16 bytes of an HMAC
///
/// The HMAC is keyed with the file's epoch and covers the app and the user, so a token of a restored file, of another app or of another
/// user is none.
package struct ListenToken: Sendable {
    private static let (stampBytes, targetBytes, macBytes) = (8, TargetHash.bytes, 16)

    package let stamp: Int64
    private let targets: Set<TargetHash>

    /// Whether the client has the target's result of the commit.
    package func has(_ target: ListenTarget) -> Bool { targets.contains(TargetHash(target)) }
}

/// The hash of a target in tokens. A stream keeps it, because each of its events has a token of up to 100 targets.
package struct TargetHash: Hashable, Sendable {
    fileprivate static let bytes = 6

    /// The first six bytes of a SHA-256.
    private let value: UInt64

    package init(_ target: ListenTarget) { self.init(SHA256.hash(target.canonicalJSON).prefix(Self.bytes)) }

    fileprivate init(_ bytes: some Sequence<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    fileprivate func append(to bytes: inout [UInt8]) {
        for place in stride(from: 8 * (Self.bytes - 1), through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(place))) }
    }
}

extension DocumentListening {
    package func token(at stamp: Int64, _ targets: some Collection<TargetHash>, app: AppID, user: String?) -> String {
        ListenToken.text(stamp, targets, key: epoch, app: app, user: user)
    }

    /// Returns nil for a token that this file did not give to this user of the app.
    package func token(_ text: String, app: AppID, user: String?) -> ListenToken? {
        ListenToken(text, key: epoch, app: app, user: user)
    }
}

extension ListenToken {
    static func text(_ stamp: Int64, _ targets: some Collection<TargetHash>, key: [UInt8], app: AppID, user: String?) -> String {
        var bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: stamp >> Int64($0)) }
        bytes.reserveCapacity(bytes.count + targets.count * targetBytes + macBytes)
        for target in targets { target.append(to: &bytes) }
        return Base64URL.encode(bytes + mac(bytes, key: key, app: app, user: user))
    }

    init?(_ text: String, key: [UInt8], app: AppID, user: String?) {
        let most = Self.stampBytes + DocumentListener.targetsAtOnce * Self.targetBytes + Self.macBytes
        guard text.utf8.count <= most * 2, let all = Base64URL.decode(text), all.count >= Self.stampBytes + Self.macBytes, all.count <= most else {
            return nil
        }
        let bytes = Array(all.dropLast(Self.macBytes))
        guard (bytes.count - Self.stampBytes).isMultiple(of: Self.targetBytes) else { return nil }
        guard constantTimeEqual(Array(all.suffix(Self.macBytes)), Self.mac(bytes, key: key, app: app, user: user)) else { return nil }
        stamp = bytes.prefix(Self.stampBytes).reduce(0) { $0 << 8 | Int64($1) }
        targets = Set(
            stride(from: Self.stampBytes, to: bytes.count, by: Self.targetBytes).map { TargetHash(bytes[$0..<$0 + Self.targetBytes]) })
    }

    private static func mac(_ bytes: [UInt8], key: [UInt8], app: AppID, user: String?) -> [UInt8] {
        let scope = "\(app.rawValue)\n\(user.map { "user \($0)" } ?? "key")\n"
        return Array(HMACSHA256.authenticate(Array(scope.utf8) + bytes, key: key).prefix(macBytes))
    }
}

extension ListenTarget {
    /// A text that equal targets share and others do not.
    fileprivate var canonicalJSON: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        switch kind {
        case .document(let path): json.string(path.description)
        case .query(let query): json.canonical(query)
        }
        json.endArray()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func canonical(_ query: DocumentQuery) {
        string(query.parent?.description ?? "")
        string(query.collection?.text.text ?? "")
        bool(query.everyDepth)
        if let filter = query.filter { canonical(filter) } else { null() }
        beginArray()
        for order in query.orders {
            string(order.field.description)
            bool(order.descending)
        }
        endArray()
        for cursor in [query.start, query.end] {
            guard let cursor else {
                null()
                continue
            }
            bool(cursor.isBefore)
            value(.array(cursor.values))
        }
        integer(Int64(query.offset))
        integer(Int64(query.limit ?? -1))
    }

    private mutating func canonical(_ filter: Filter) {
        beginArray()
        switch filter {
        case .compare(let field, let comparison, let operand):
            string(comparison.rawValue)
            string(field.description)
            value(operand)
        case .unary(let field, let condition):
            string(condition.rawValue)
            string(field.description)
        case .and(let filters), .or(let filters):
            if case .and = filter { string("and") } else { string("or") }
            for part in filters { canonical(part) }
        }
        endArray()
    }
}
