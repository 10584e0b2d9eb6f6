// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

/// The collections that may have documents of a person, one after the other.
///
/// It is a value that is kept between reads, so that each read is short.
struct PersonPlaces: Sendable {
    let app: AppID
    let person: String
    let patterns: [PersonPattern]
    private var pattern = 0
    private var range = 0
    private var last: String?

    init(_ person: String, _ patterns: [PersonPattern], app: AppID) {
        (self.person, self.patterns, self.app) = (person, patterns, app)
    }

    /// A collection, and which of its documents a pattern covers; of those only some match.
    struct Place: Sendable {
        let collection: CollectionRow
        let pattern: Int
        /// The ID of the only document.
        let only: PathSegment?
    }

    /// Returns the next place; nil at the end. Collections that a pattern does not cover take a step, too.
    mutating func next(_ file: DocumentDB, steps: inout Int) throws -> Place? {
        while pattern < patterns.count, steps > 0 {
            let ranges = ranges
            guard range < ranges.count else {
                (pattern, range, last) = (pattern + 1, 0, nil)
                continue
            }
            guard let collection = try file.collection(in: ranges[range], after: last, app: app) else {
                (range, last) = (range + 1, nil)
                continue
            }
            steps -= 1
            last = collection.path.description
            switch reach(collection.path) {
            case .none: continue
            case .all: return Place(collection: collection, pattern: pattern, only: nil)
            case .one(let id): return Place(collection: collection, pattern: pattern, only: id)
            }
        }
        return nil
    }

    var isDone: Bool { pattern >= patterns.count }

    private var ranges: [CollectionRange] {
        switch patterns[pattern] {
        case .path(let path): PathSegment(person).map(path.ranges) ?? []
        case .field(let field): field.ranges
        }
    }

    private func reach(_ collection: DocumentPath) -> PersonPath.Reach {
        guard case .path(let path) = patterns[pattern] else { return .all }
        return PathSegment(person).map { path.reach(in: collection, of: $0) } ?? .none
    }

    /// Whether a pattern before the current one has the document, too.
    func isRepeated(_ document: StoredDocument, at place: Place) -> Bool {
        patterns[..<place.pattern].contains { $0.matches(document, of: person) }
    }
}

/// A walk over the documents of a person, a page at a time.
package struct PersonWalk: Sendable {
    /// The documents and collections that one page examines.
    private static let steps = 2_000
    /// The size of the documents of a page, so that their removal fits into the spare space of a full disk.
    private static let bytes = 1 << 20

    private var places: PersonPlaces
    private var place: PersonPlaces.Place?
    private var nextID: [UInt8] = []

    init(_ person: String, _ patterns: [PersonPattern], app: AppID) {
        places = PersonPlaces(person, patterns, app: app)
    }

    package var isDone: Bool { place == nil && places.isDone }

    /// Returns the next documents. A page may be empty before the end.
    mutating func page(_ file: DocumentDB, _ bodies: BodyReader) throws -> [StoredDocument] {
        var (found, steps, bytes) = ([StoredDocument](), PersonWalk.steps, 0)
        while steps > 0, bytes < PersonWalk.bytes {
            if place == nil {
                (place, nextID) = (try places.next(file, steps: &steps), [])
                if let id = place?.only { nextID = StoredID.bytes(id) }
            }
            guard let now = place else { break }
            var wantsMore = false
            try file.documents(of: now.collection.number, from: nextID) { row in
                if let only = now.only, row.id != StoredID.bytes(only) { return false }
                if steps == 0 || bytes >= PersonWalk.bytes {
                    (nextID, wantsMore) = (row.id, true)
                    return false
                }
                steps -= 1
                let document = try row.document(in: now.collection.path, bodies)
                if places.patterns[now.pattern].matches(document, of: places.person), !places.isRepeated(document, at: now) {
                    found.append(document)
                    bytes += row.body.count
                }
                return true
            }
            if !wantsMore { place = nil }
        }
        return found
    }
}

/// A walk over the changes in the log that have documents of a person.
struct PersonLogWalk: Sendable {
    private static let steps = 2_000

    private var places: PersonPlaces
    private var place: PersonPlaces.Place?
    private var behind = ChangePlace(stamp: 0, n: 0)

    init(_ person: String, _ patterns: [PersonPattern], app: AppID) {
        places = PersonPlaces(person, patterns, app: app)
    }

    var isDone: Bool { place == nil && places.isDone }

    /// Returns the next changes: those of documents that are the person's now, and those from a state that was.
    mutating func page(_ file: DocumentDB, _ bodies: BodyReader) throws -> [ChangePlace] {
        var (found, steps) = ([ChangePlace](), PersonLogWalk.steps)
        while steps > 0 {
            if place == nil { (place, behind) = (try places.next(file, steps: &steps), ChangePlace(stamp: 0, n: 0)) }
            guard let now = place else { break }
            var wantsMore = false
            try file.changes(of: now.collection.number, behind: behind) { change, id, before in
                if steps == 0 {
                    wantsMore = true
                    return false
                }
                (steps, behind) = (steps - 1, change)
                if try isOfPerson(id, before, now, file, bodies) { found.append(change) }
                return true
            }
            if !wantsMore { place = nil }
        }
        return found
    }

    private func isOfPerson(
        _ id: [UInt8], _ before: DocumentRow?, _ now: PersonPlaces.Place, _ file: DocumentDB, _ bodies: BodyReader
    ) throws -> Bool {
        // A pattern of a path matches a document by its path alone, whatever its fields are.
        if case .path = places.patterns[now.pattern] { return now.only.map { StoredID.bytes($0) == id } ?? true }
        let pattern = places.patterns[now.pattern]
        if let before, pattern.matches(try before.document(in: now.collection.path, bodies), of: places.person) { return true }
        guard let segment = StoredID.segment(id), let row = try file.document(segment, in: now.collection.number) else { return false }
        return pattern.matches(try row.document(in: now.collection.path, bodies), of: places.person)
    }
}
