// SPDX-License-Identifier: Apache-2.0

import Database
import Listening
import Platform
import SignalboxDocumentModel

/// The part of a read that is made for listeners.
enum ListenAttempt: Sendable {
    /// All of it, in the lanes of servers.
    case whole
    /// All of it if it is short. Otherwise `LongRead` is thrown.
    case onlyIfShort
    /// All of it, in its turn among the long queries of users.
    case longOfUsers
}

extension DocumentStore {
    /// Makes reads for listeners, all of one group, of the newest version. Those without an answer must be made again.
    func answer(_ reads: [ListenRead], app: AppID, _ attempt: ListenAttempt) async throws -> [ListenAnswer?] {
        switch reads.first?.group {
        case .result(let target, let most):
            let result = try await result(of: target, atMost: most, app, attempt)
            return reads.map { _ in result }
        case .changes, .changesOf, nil: return try await changes(reads, app, attempt)
        }
    }

    private func result(of target: ListenTarget, atMost most: Int, _ app: AppID, _ attempt: ListenAttempt) async throws -> ListenAnswer {
        switch target.kind {
        case .document(let path):
            let found = try await document(path, app, attempt)
            return .result(found.documents.compactMap { $0.map(ListenedDocument.init) }, at: found.stamp.microseconds)
        case .query(var query):
            (query.offset, query.limit) = (0, most == .max ? nil : most)
            let found = try await run(query, app: app, QueryBudget(examined: target.mostExamined), attempt)
            return .result(found.documents.map(ListenedDocument.init), at: found.stamp.microseconds)
        }
    }

    private func document(_ path: DocumentPath, _ app: AppID, _ attempt: ListenAttempt) async throws -> DocumentsResult<StoredDocument> {
        let bodies = bodies
        switch attempt {
        case .whole: return try await documents([path], app: app)
        case .onlyIfShort: return try await shortDocuments([path], app: app, at: nil, as: nil) { try $0.decoded(bodies) }
        case .longOfUsers:
            return try await read(app, at: nil, as: nil, .listening) { view, _ in
                DocumentsResult(documents: [try view.encoded(path)?.decoded(bodies)], stamp: view.stamp)
            }
        }
    }

    private func changes(_ reads: [ListenRead], _ app: AppID, _ attempt: ListenAttempt) async throws -> [ListenAnswer?] {
        let bytes = bounds.resultBytes
        switch attempt {
        case .whole: return try await read(app, at: nil) { try $0.changes(for: reads, atMost: bytes) }
        case .onlyIfShort:
            return try await read(app, at: nil, as: nil, on: shortQueries) { view, _ in try view.changes(for: reads, atMost: bytes, isShort: true) }
        case .longOfUsers:
            return try await read(app, at: nil, as: nil, .listening) { view, _ in try view.changes(for: reads, atMost: bytes) }
        }
    }
}

extension DocumentView {
    /// The most rows of the log, and bytes of their documents, that are read for streams that resume.
    private static let (rowsToResume, bytesToResume) = (100_000, 256 << 20)

    /// Returns the changes of documents that each target may be about, from their state after a stamp to that of now. A target whose changes are
    /// no longer all in the log, or are too many, has none. Reads whose changes do not fit beside those of others have no answer.
    ///
    /// - Parameter isShort: Whether `LongRead` is thrown if more than a few changes must be read.
    fileprivate func changes(for reads: [ListenRead], atMost bytes: Int, isShort: Bool = false) throws -> [ListenAnswer?] {
        let oldest = try isShort ? file.logStart(of: app) : oldestToResume(reads)
        let answered = reads.filter { $0.since >= oldest }
        var resume = SharedResume(answered, mostBytes: bytes)
        if isShort { try requireFewChanges(for: reads, after: resume.start) }
        var (rows, passed) = (0, 0)
        var isTooMuch: Bool { rows > DocumentView.rowsToResume || passed > DocumentView.bytesToResume }
        for (collection, id) in try places(of: reads) {
            let take = { (change: ChangeRow) throws in
                rows += 1
                if let segment = StoredID.segment(change.id), let path = DocumentPath(collection.path.segments + [segment]) {
                    let net = try net(change, path, in: collection)
                    passed += net.bytes
                    if isShort, passed > LongRead.scannedBytes { throw LongRead() }
                    resume.add(net, at: change.stamp)
                }
                // A single document is told from the first change alone.
                return !isTooMuch && id == nil
            }
            try file.changes(of: collection.number, id, after: resume.start, while: take)
        }
        if isTooMuch { return reads.map { _ in .gone } }
        var findings = resume.findings.makeIterator()
        return reads.map { read in
            guard read.since >= oldest else { return .gone }
            switch findings.next() {
            case .changes(let changes): return .changes(changes, at: max(stamp.microseconds, read.since))
            case .tooMany: return .gone
            case .left, nil: return nil
            }
        }
    }

    /// Throws `LongRead` if there are many changes, or may be many collections.
    private func requireFewChanges(for reads: [ListenRead], after stamp: Int64) throws {
        if case .query(let query)? = reads.first?.target.kind, query.everyDepth || query.collection == nil { throw LongRead() }
        for (collection, _) in try places(of: reads) {
            var rows = 0
            try file.changedIDs(of: collection.number, after: stamp) { _, _ in
                rows += 1
                return rows <= LongRead.examined
            }
            if rows > LongRead.examined { throw LongRead() }
        }
    }

    /// The collections of reads, which are the same for all, or that of a document with its ID.
    private func places(of reads: [ListenRead]) throws -> [(CollectionRow, PathSegment?)] {
        switch reads.first?.target.kind {
        case .document(let path): try path.parent.flatMap { try file.collection($0, app: app) }.map { [($0, path.id)] } ?? []
        case .query(let query): try file.collections(of: query, app: app).map { ($0, nil) }
        case nil: []
        }
    }

    /// The earliest stamp after which all changes are in the log and not too many in a collection.
    private func oldestToResume(_ reads: [ListenRead]) throws -> Int64 {
        try places(of: reads).reduce(try file.logStart(of: app)) { oldest, place in
            max(oldest, try file.stamp(ofChange: DocumentView.rowsToResume, fromLastOf: place.0.number) ?? 0)
        }
    }

    private func net(_ change: ChangeRow, _ path: DocumentPath, in collection: CollectionRow) throws -> DocumentChange {
        DocumentChange(
            path, before: try change.before?.document(in: collection.path, bodies).asListened,
            after: try file.document(path.id, in: collection.number)?.document(in: collection.path, bodies).asListened)
    }
}

extension ListenRead {
    fileprivate var since: Int64 {
        if case .changes(let since) = what { since } else { .min }
    }
}

extension StoredDocument {
    fileprivate var asListened: ListenedDocument { ListenedDocument(self) }
}
