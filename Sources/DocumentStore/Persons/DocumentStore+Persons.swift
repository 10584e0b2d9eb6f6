// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Platform
import SignalboxDocumentModel

extension RemovalCounts.Kind {
    package static let documents = Self("documents")
}

extension DocumentStore {
    /// Returns the patterns of the documents that belong to persons of an app.
    package func personPatterns(of app: AppID) async throws -> [PersonPattern] {
        try await read(app, at: nil) { try $0.file.setting(.persons, app: app, $0.bodies).map(PersonPattern.patterns) ?? [] }
    }

    package func setPersonPatterns(_ patterns: [PersonPattern], app: AppID) async throws {
        try await change(app) { try $0.file.set(.persons, PersonPattern.stored(patterns), app: app) }
    }

    // MARK: Export

    /// Returns a walk over the documents of a user.
    package func documents(of person: String, app: AppID) async throws -> PersonWalk {
        PersonWalk(person, try await personPatterns(of: app), app: app)
    }

    /// Returns the next documents of a walk; none at its end.
    package func next(_ walk: inout PersonWalk, app: AppID) async throws -> [StoredDocument] {
        while !walk.isDone {
            let (found, later) = try await page(walk, app)
            walk = later
            if !found.isEmpty { return found }
        }
        return []
    }

    private func page(_ walk: PersonWalk, _ app: AppID) async throws -> ([StoredDocument], PersonWalk) {
        try await read(app, at: nil) { view in
            var walk = walk
            return (try walk.page(view.file, view.bodies), walk)
        }
    }

    // MARK: Erasure

    /// Counts the documents of a person.
    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        for person in removal.users {
            var walk = try await documents(of: person, app: removal.app)
            while true {
                let found = try await next(&walk, app: removal.app)
                if found.isEmpty { break }
                counts[.documents] += found.count
            }
        }
        return counts
    }

    /// Removes the documents of a person and what the log and the answers of batches have of them.
    ///
    /// First the log, while the documents still show whose it is; then each page of documents in a commit with its own part of the log.
    /// After a kill in between the documents that remain are found again.
    package func remove(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        let patterns = try await personPatterns(of: removal.app)
        for person in removal.users {
            let newID = removal.newKey(for: removal.keys.user).map { String($0, radix: 16) }
            let since = try await change { $0.marks.stamp }
            let erasure = PersonErasure(app: removal.app, person: person, patterns: patterns, newID: newID, since: since)
            if !patterns.isEmpty {
                try await forgetChanges(erasure)
                counts[.documents] += try await eraseDocuments(erasure)
                try await change { try $0.file.removeSizes(namedLike: person, app: removal.app) }
            }
            // The clients of a user are known without patterns, but then no answer is about documents of the user.
            if patterns.isEmpty { try await forgetClients(erasure) } else { try await forgetAnswers(erasure) }
        }
        if !patterns.isEmpty { try await removeRemains() }
        return counts
    }

    package func emptyLog() async throws { try await engine.emptyLogs() }

    private func forgetChanges(_ erasure: PersonErasure) async throws {
        var walk = PersonLogWalk(erasure.person, erasure.patterns, app: erasure.app)
        while !walk.isDone {
            let (found, later) = try await read(erasure.app, at: nil) { [walk] view in
                var walk = walk
                return (try walk.page(view.file, view.bodies), walk)
            }
            walk = later
            try await inPieces(found) { some in try await change { try $0.forget(some, app: erasure.app) } }
        }
    }

    private func eraseDocuments(_ erasure: PersonErasure) async throws -> Int {
        var (walk, count) = (PersonWalk(erasure.person, erasure.patterns, app: erasure.app), 0)
        while true {
            let found = try await next(&walk, app: erasure.app).map(\.path)
            if found.isEmpty { return count }
            try await inPieces(found) { some in count += try await change { try $0.erase(some, erasure) } }
        }
    }

    /// Passes what is to be removed in pieces.
    private func inPieces<Row: Sendable>(_ rows: [Row], _ remove: ([Row]) async throws -> Void) async throws {
        var rest = rows[...]
        try await SpareSpace.inPieces(atMost: bounds.removedAtOnce) { limit in
            let some = Array(rest.prefix(limit))
            if some.isEmpty { return 0 }
            try await remove(some)
            rest = rest.dropFirst(limit)
            return some.count
        }
    }

    private func forgetClients(_ erasure: PersonErasure) async throws {
        let limit = bounds.removedAtOnce
        while try await change(nil, { try $0.file.removeClients(of: erasure.person, app: erasure.app, atMost: limit) }) == limit {}
    }

    private func forgetAnswers(_ erasure: PersonErasure) async throws {
        var last: String? = ""
        while let client = last {
            last = try await change { [limit = bounds.removedAtOnce] context in
                try context.file.removeAnswers(about: erasure.person, after: client, app: erasure.app, atMost: limit)
            }
        }
    }

    /// Removes entries of dropped indexes and collections without documents, which may name the person.
    private func removeRemains() async throws {
        let limit = bounds.removedAtOnce
        while try await change(nil, { try $0.file.removeSomeEntries(atMost: limit) }) > 0 {}
        var last: Int64 = 0
        repeat {
            last = try await change { [last] in try $0.file.removeUnusedCollections(after: last, atMost: limit).last }
        } while last > 0
    }
}
