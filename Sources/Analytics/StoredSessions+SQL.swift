// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// The files whose stored parts, with those in memory, show all sessions of a scan.
struct StoredSessions: Sendable {
    struct File: Sendable {
        var day: Day
        var chunks: SessionChunks
        /// The codes of the versions of the file's contexts, if they are asked for.
        var versions: [UInt32: UInt32] = [:]
    }

    var files: [File]
    let open: OpenSessions.Snapshot
    private static let partsAtOnce = 100_000
    /// The number of parts that are not worth a second thread.
    private static let few = 20_000

    /// Ranges of subjects with about as many parts each as are held in memory by a thread.
    var ranges: [ClosedRange<Int64>] {
        let count = files.reduce(open.fold.entries.count) { $0 + $1.chunks.parts }
        return StoredSessions.ranges(count <= StoredSessions.few ? 1 : max(2, count / StoredSessions.partsAtOnce + 1))
    }

    /// Divides all keys into equal ranges.
    static func ranges(_ count: Int) -> [ClosedRange<Int64>] {
        let width = UInt64.max / UInt64(count)
        func edge(_ place: Int) -> Int64 { Int64(bitPattern: UInt64(bitPattern: Int64.min) &+ UInt64(place) &* width) }
        return (0..<count).map { edge($0)...($0 == count - 1 ? Int64.max : edge($0 + 1) - 1) }
    }
}

/// A stored part of a session, or a crash report beside it.
struct StoredPiece: Sendable {
    var part: SessionPart
    /// The code of the first event's version; 0 for none.
    var value: UInt32 = 0
}

/// The sessions of a range of subjects, and the pieces that wait for crash reports.
private struct StoredSums<Sums: SessionSums>: Sendable {
    var sums: Sums
    var reported: ReportedCrashes<StoredPiece>
}

extension SessionScan {
    /// Whether stored parts show what is asked: all sessions, without a value or with the version.
    var showsInParts: Bool { isOfAll && (field == nil || field == SessionScan.version) }

    private static let version = FieldPath.context(1)
}

extension QueryContext {
    /// Returns the files of a scan; nil if one has events that are in no part yet.
    func storedSessions(_ scan: SessionScan, _ open: OpenSessions.Snapshot) throws -> StoredSessions? {
        let range = SessionScan.times(around: scan.buckets)
        let around = SessionScan.days(around: scan.buckets)
        // A day after the snapshot's began since, and its events are newer than the query.
        let days = try days(from: range.from, to: range.to).filter { $0 <= open.day }
        if days.contains(open.day), !open.isComplete { return nil }
        let app = app
        let files = try session.each(of: days) { file, day -> StoredSessions.File? in
            guard try day == open.day || file.hasAllSessions() else { return nil }
            return StoredSessions.File(day: day, chunks: try file.chunks(app: app, days: around))
        }
        let found = files.compactMap(\.self)
        return found.count == files.count ? StoredSessions(files: found, open: open) : nil
    }

    /// Counts the sessions, those of some subjects after the other on up to two threads.
    func foldStored<Sums: SessionSums>(_ stored: StoredSessions, _ scan: SessionScan, into start: Sums) throws -> (Sums, ValueTable) {
        var (stored, values) = (stored, ValueTable())
        if scan.field != nil { try addVersions(to: &stored, &values) }
        let owners = try subjectOwners(scan)
        let (files, table, ranges) = (stored, values, stored.ranges)
        let empty = StoredSums(sums: start, reported: ReportedCrashes<StoredPiece>(scan.crashes))
        var found = try session.fold(ranges.count, into: empty) { place in
            var part = empty
            var sessions = SessionsOfSubject<StoredPiece>(scan)
            var pieces = BySubject(try self.pieces(files, scan, ranges[place]), in: ranges[place])
            pieces.each { pieces in
                if part.reported.take(pieces, owners) { return }
                sessions.cut(pieces)
                sessions.each(owners, table) { part.sums.add($0) }
            }
            return part
        } joining: {
            $0.sums.join($1.sums)
            $0.reported.join($1.reported)
        }
        var sessions = SessionsOfSubject<StoredPiece>(scan)
        for group in try found.reported.placed(scan, owners, { try scan.crashPiece($0, $1, &values) }) {
            sessions.cut(group[...])
            sessions.each(owners, values) { found.sums.add($0) }
        }
        return (found.sums, values)
    }

    /// Reads the versions after the chunks are known, so that no chunk has a context without its version.
    private func addVersions(to stored: inout StoredSessions, _ values: inout ValueTable) throws {
        let app = app
        let found = try session.each(of: stored.files.map(\.day)) { file, day in (day: day, versions: try file.versions(app: app)) }
        for (day, versions) in found {
            guard let place = stored.files.firstIndex(where: { $0.day == day }) else { continue }
            for (context, version) in versions where !version.elementsEqual(BreakdownName.none.utf8) {
                stored.files[place].versions[context] = try values.code(of: version)
            }
        }
    }

    /// Returns the pieces of some subjects, in no order.
    private func pieces(_ stored: StoredSessions, _ scan: SessionScan, _ subjects: ClosedRange<Int64>) throws -> [StoredPiece] {
        var pieces: [StoredPiece] = []
        for file in stored.files {
            func add(_ part: SessionPart) { pieces.append(StoredPiece(part: part, value: file.versions[part.context] ?? 0)) }
            try session.with(file.day) { try $0.eachPart(of: file.chunks, subjects, add) }
            if file.day == stored.open.day { stored.open.eachPart(of: app, SessionScan.days(around: scan.buckets), subjects, add) }
        }
        return pieces
    }
}

extension SessionScan {
    /// Returns a crash report as a piece of its subject's sessions.
    func crashPiece(_ row: Int, _ subject: UInt64, _ values: inout ValueTable) throws -> StoredPiece {
        var part = SessionPart(subject: subject, session: crashes.sessions[row], time: crashes.times[row], user: crashes.users[row])
        part.flags = .crash
        return StoredPiece(part: part, value: field == nil ? 0 : try crashes.value(of: row, &values))
    }
}

extension StoredPiece: SessionPiece {
    var person: UInt64 { part.subject }
    var user: UInt64 { part.user }
    var first: Int64 { part.first }
    var last: Int64 { part.last }
    var session: UInt64 { part.session }
    var isCrash: Bool { part.flags == .crash }

    /// A crash is behind other pieces that begin at the same time, as its event is.
    static func < (a: StoredPiece, b: StoredPiece) -> Bool {
        (a.first, a.isCrash ? 1 : 0) < (b.first, b.isCrash ? 1 : 0)
    }

    static func == (a: StoredPiece, b: StoredPiece) -> Bool { a.part == b.part && a.value == b.value }

    func add(to sum: inout SessionSum) {
        sum.extend(part.first, part.last)
        sum.views.join(part.views)
        if part.flags.contains(.sale) { sum.hasPurchase = true }
        if part.flags.contains(.crash) { sum.hasCrash = true }
        if part.flags.contains(.activity) { sum.isOnlyCrash = false }
        sum.name(part.user, at: part.userTime)
        sum.pass(value, at: part.first)
    }
}

/// Pieces in the order of their subjects.
///
/// Keys are hashes, so a counting sort by their first bits leaves about one piece in a place.
struct BySubject {
    private var pieces: [StoredPiece]
    /// The end of each place's pieces.
    private var ends: [Int]

    init(_ unordered: [StoredPiece], in subjects: ClosedRange<Int64>) {
        let span = UInt64(bitPattern: subjects.upperBound &- subjects.lowerBound)
        let bits = Int.bitWidth - unordered.count.leadingZeroBitCount
        let shift = UInt64(max(0, UInt64.bitWidth - span.leadingZeroBitCount - bits))
        func place(_ piece: StoredPiece) -> Int {
            Int(truncatingIfNeeded: UInt64(bitPattern: Int64(bitPattern: piece.person) &- subjects.lowerBound) >> shift)
        }
        ends = [Int](repeating: 0, count: Int(span >> shift) + 2)
        for piece in unordered { ends[place(piece) + 1] += 1 }
        for index in ends.indices.dropFirst() { ends[index] += ends[index - 1] }
        pieces = unordered
        for piece in unordered {
            let place = place(piece)
            pieces[ends[place]] = piece
            ends[place] += 1
        }
    }

    /// Calls a closure with the pieces of each subject in the order of time.
    mutating func each(_ body: (ArraySlice<StoredPiece>) throws -> Void) rethrows {
        var start = 0
        for end in ends where end > start {
            if end - start > 1 { order(start..<end) }
            while start < end {
                let subject = pieces[start].person
                var next = start + 1
                while next < end, pieces[next].person == subject { next += 1 }
                try body(pieces[start..<next])
                start = next
            }
        }
    }

    private mutating func order(_ range: Range<Int>) {
        func isBefore(_ a: StoredPiece, _ b: StoredPiece) -> Bool { a.person != b.person ? a.person < b.person : a < b }
        if zip(pieces[range], pieces[range].dropFirst()).allSatisfy({ !isBefore($1, $0) }) { return }
        pieces[range].sort(by: isBefore)
    }
}
