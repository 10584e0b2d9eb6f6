// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Synchronization

/// The rules of apps, and the documents that rules ask for, of the newest version of the database.
///
/// A version is known by its stamp, which grows with every change of documents and rules. Reads of one version share what the first of them
/// read, and a later version begins anew:
///
///     stamp 7   get users/ana → a row      get users/ana → known
///     stamp 8   get users/ana → a row
final class RuleReads: Sendable {
    private struct Place: Hashable {
        let app: AppID
        let path: DocumentPath
    }

    private struct State {
        var stamp = DocumentTime.epoch
        var rules: [AppID: AppRules?] = [:]
        var documents: [Place: StoredDocument?] = [:]
        var bytes = 0

        /// Makes a version the one that is known, unless a later one is. Returns whether it is.
        mutating func turn(to stamp: DocumentTime) -> Bool {
            if self.stamp < stamp { self = State(stamp: stamp) }
            return self.stamp == stamp
        }
    }

    private static let (apps, documents, bytes) = (256, 1_000, 1 << 20)

    private let state = Mutex(State())

    /// Returns the rules of an app in a version, which the function reads unless they are known.
    func rules(of app: AppID, at stamp: DocumentTime, read: () throws -> AppRules?) rethrows -> AppRules? {
        if let known = state.withLock({ $0.stamp == stamp ? $0.rules[app] : nil }) { return known }
        let rules = try read()
        state.withLock { state in
            if state.turn(to: stamp), state.rules.count < Self.apps { state.rules[app] = .some(rules) }
        }
        return rules
    }

    /// Returns a document in a version, which the function reads unless it is known.
    func document(_ path: DocumentPath, of app: AppID, at stamp: DocumentTime, read: () throws -> StoredDocument?) rethrows -> StoredDocument? {
        let place = Place(app: app, path: path)
        if let known = state.withLock({ $0.stamp == stamp ? $0.documents[place] : nil }) { return known }
        let document = try read()
        let bytes = 256 + 2 * (path.size + (document?.fields.size ?? 0))
        state.withLock { state in
            guard state.turn(to: stamp), state.documents.count < Self.documents, state.bytes + bytes <= Self.bytes else { return }
            state.documents[place] = .some(document)
            state.bytes += bytes
        }
        return document
    }
}
