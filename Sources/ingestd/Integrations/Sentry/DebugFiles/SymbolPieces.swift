// SPDX-License-Identifier: Apache-2.0

import Compression
import Crypto
import Dispatch
import Platform
import AcrossStores
import Synchronization

/// Pieces of symbol files that were brought and not yet put together: each a file of its own under its sum, for an hour.
///
/// Their folder is emptied at each start, so what is known of them need not outlive the process.
final class SymbolPieces: Sendable {
    private struct Name: Hashable {
        var app: AppID
        var sum: String
    }

    private struct Held {
        var pieces: [Name: (bytes: Int, until: Timestamp)] = [:]
        var bytes = 0
        /// Files that were put together lately: the program asks about them again.
        var done: [Name: JoinedFile] = [:]
        var newest: [Name] = []
    }

    private static let age = Timestamp.Span.hours(1)
    private static let mostPieces = 20_000
    private static let mostDone = 1_000
    private let folder: String
    private let most: Int
    private let held = Mutex(Held())
    /// Each holds its piece while it waits; the program brings two at a time.
    private let oneAtATime = OneAtATime(most: 16)
    private let queue = DispatchQueue(label: "signalbox.symbol-pieces", qos: .utility)

    /// - Parameter most: Bytes of all pieces together.
    init(in folder: String, most: Int) {
        self.folder = folder
        self.most = most
    }

    /// Keeps a piece under the sum of what is really in it.
    func keep(_ part: FormParts.Part, largest: Int, of app: AppID, at now: Timestamp) async throws {
        let bytes = try SymbolPieces.plain(part, largest)
        let name = Name(app: app, sum: Hex.encode(SHA1.hash(bytes)))
        guard part.fileName == nil || part.fileName == name.sum else {
            throw Refusal(.invalid, "A piece's name is not the SHA-1 of its bytes.", hint: "Bring it again.")
        }
        try await oneAtATime.run { [self] in
            expire(now)
            try checkRoom(for: bytes.count)
            try await queue.run { try File(self.path(name), .create).write(bytes) }
            held.withLock { held in
                held.bytes += bytes.count - (held.pieces[name]?.bytes ?? 0)
                held.pieces[name] = (bytes.count, now + SymbolPieces.age)
            }
        }
    }

    /// Which pieces of a file are not there, each once.
    func missing(_ sums: [String], of app: AppID, at now: Timestamp) -> [String] {
        held.withLock { held in
            var asked: Set<String> = []
            return sums.filter { sum in
                guard asked.insert(sum).inserted else { return false }
                return held.pieces[Name(app: app, sum: sum)].map { $0.until <= now } ?? true
            }
        }
    }

    func done(_ sum: String, of app: AppID) -> JoinedFile? {
        held.withLock { $0.done[Name(app: app, sum: sum)] }
    }

    /// What was put together has gone again: it may be brought anew.
    func forget(_ sum: String, of app: AppID) {
        held.withLock { held in
            held.done[Name(app: app, sum: sum)] = nil
            held.newest.removeAll { $0 == Name(app: app, sum: sum) }
        }
    }

    /// What was to become of them has become of them.
    func forgetPieces(_ sums: Set<String>, of app: AppID) {
        drop(Set(sums.map { Name(app: app, sum: $0) }))
    }

    /// The app is gone.
    func forget(_ app: AppID) {
        drop(
            held.withLock { held in
                held.done = held.done.filter { $0.key.app != app }
                held.newest.removeAll { $0.app == app }
                return Set(held.pieces.keys.filter { $0.app == app })
            })
    }

    /// Puts a file's pieces together and hands it over; what became of it is remembered.
    func join(
        _ file: AskedFile, of app: AppID, _ take: @escaping @Sendable (String) async throws -> JoinedFile
    ) async throws -> JoinedFile {
        try await oneAtATime.run { [self] in
            let whole = folder + "/whole-" + Hex.encode(randomBytes(16))
            defer { try? Folder.remove(whole) }
            let pieces = file.pieces.map { Name(app: app, sum: $0) }
            let sum = try await queue.run { try self.write(pieces, to: whole) }
            guard sum == file.sum else { throw Refusal(.invalid, "The pieces make another file than the one that was named.") }
            let joined = try await take(whole)
            remember(joined, as: Name(app: app, sum: file.sum))
            return joined
        }
    }

    private static func plain(_ part: FormParts.Part, _ largest: Int) throws(Refusal) -> [UInt8] {
        do throws(DecodeError) {
            return try decode(part.bytes, coding: part.name == "file_gzip" ? .gzip : .identity, limit: largest)
        } catch {
            switch error {
            case .tooLarge: throw Refusal(.tooLarge, "A piece has more than \(largest) bytes.")
            case .malformed: throw Refusal(.badRequest, "A piece is not compressed as its name says.")
            }
        }
    }

    private func write(_ pieces: [Name], to whole: String) throws -> String {
        let file = try File(whole, .new)
        var sum = SHA1()
        var bytes = 0
        for piece in pieces {
            let source = try File(path(piece), .read)
            let part = try source.read(at: 0, count: source.size)
            bytes += part.count
            guard bytes <= most else { throw Refusal(.tooLarge, "The symbol file is larger than \(most) bytes.") }
            try file.write(part)
            sum.update(part.span)
        }
        return Hex.encode(sum.finish())
    }

    private func checkRoom(for bytes: Int) throws(Refusal) {
        let isFull = held.withLock { $0.bytes + bytes > most || $0.pieces.count >= SymbolPieces.mostPieces }
        guard isFull else { return }
        throw Refusal(.overloaded, "Too many pieces of symbol files wait to be put together.", hint: "Send it again later.", retryAfterSeconds: 60)
    }

    /// Whose hour is over goes, and what a clock that was set back would keep for longer than another one. A little ahead is what
    /// comes at the same time: whoever began a moment earlier may have its turn later.
    private func expire(_ now: Timestamp) {
        let latest = now + SymbolPieces.age + SymbolPieces.age
        drop(Set(held.withLock { held in held.pieces.filter { $0.value.until <= now || $0.value.until > latest }.map(\.key) }))
    }

    private func drop(_ names: Set<Name>) {
        held.withLock { held in
            for name in names { held.bytes -= held.pieces.removeValue(forKey: name)?.bytes ?? 0 }
        }
        for name in names { try? Folder.remove(path(name)) }
    }

    private func remember(_ joined: JoinedFile, as name: Name) {
        held.withLock { held in
            if held.done.updateValue(joined, forKey: name) == nil { held.newest.append(name) }
            if held.newest.count > SymbolPieces.mostDone { held.done[held.newest.removeFirst()] = nil }
        }
    }

    private func path(_ name: Name) -> String { "\(folder)/piece-\(name.app.rawValue)-\(name.sum)" }
}
