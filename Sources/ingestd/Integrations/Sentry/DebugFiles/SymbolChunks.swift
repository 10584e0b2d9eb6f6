// SPDX-License-Identifier: Apache-2.0

import Compression
import Crypto
import Dispatch
import Ingest
import Platform
import AcrossStores
import Synchronization

/// Uploaded chunks that have not been assembled yet: one file per chunk under its sum, kept for an hour.
///
/// The folder is emptied at each start, so this state need not outlive the process.
final class SymbolChunks: Sendable {
    private struct Name: Hashable {
        var app: AppID
        var sum: String
    }

    private struct Held {
        var pieces: [Name: (bytes: Int, until: Timestamp)] = [:]
        var bytes = 0
        /// Recently assembled files. The client asks for them again.
        var done: [Name: AssembledFile] = [:]
        var newest: [Name] = []
    }

    private static let age = Timestamp.Span.hours(1)
    private static let mostPieces = 20_000
    private static let mostDone = 1_000
    private let folder: String
    private let most: Int
    private let held = Mutex(Held())
    /// Each waiting request holds its chunk; the client uploads two at a time.
    private let oneAtATime = OneAtATime(most: 16)
    private let queue = DispatchQueue(label: "signalbox.symbol-pieces", qos: .utility)

    /// - Parameter most: The limit of all chunks together, in bytes.
    init(in folder: String, most: Int) {
        self.folder = folder
        self.most = most
    }

    /// Stores a chunk under the sum of its actual content.
    func keep(_ part: FormParts.Part, largest: Int, of app: AppID, at now: Timestamp) async throws {
        let bytes = try SymbolChunks.plain(part, largest)
        let name = Name(app: app, sum: Hex.encode(SHA1.hash(bytes)))
        guard part.fileName == nil || part.fileName == name.sum else {
            throw Refusal(.invalid, "A chunk's name is not the SHA-1 of its content.", hint: "Upload it again.")
        }
        try await oneAtATime.run { [self] in
            expire(now)
            try checkCapacity(for: bytes.count)
            try await queue.run { try File(self.path(name), .create).write(bytes) }
            held.withLock { held in
                held.bytes += bytes.count - (held.pieces[name]?.bytes ?? 0)
                held.pieces[name] = (bytes.count, now + SymbolChunks.age)
            }
        }
    }

    /// Returns the missing chunks of a file, each once.
    func missing(_ sums: [String], of app: AppID, at now: Timestamp) -> [String] {
        held.withLock { held in
            var seen: Set<String> = []
            return sums.filter { sum in
                guard seen.insert(sum).inserted else { return false }
                return held.pieces[Name(app: app, sum: sum)].map { $0.until <= now } ?? true
            }
        }
    }

    func done(_ sum: String, of app: AppID) -> AssembledFile? {
        held.withLock { $0.done[Name(app: app, sum: sum)] }
    }

    /// Forgets an assembled file that has been deleted, so that it can be uploaded again.
    func forget(_ sum: String, of app: AppID) {
        held.withLock { held in
            held.done[Name(app: app, sum: sum)] = nil
            held.newest.removeAll { $0 == Name(app: app, sum: sum) }
        }
    }

    /// Removes chunks that have been assembled.
    func forgetPieces(_ sums: Set<String>, of app: AppID) {
        drop(Set(sums.map { Name(app: app, sum: $0) }))
    }

    /// Removes the chunks of a deleted app.
    func forget(_ app: AppID) {
        drop(
            held.withLock { held in
                held.done = held.done.filter { $0.key.app != app }
                held.newest.removeAll { $0.app == app }
                return Set(held.pieces.keys.filter { $0.app == app })
            })
    }

    /// Assembles a file's chunks, passes it on, and remembers the result.
    func join(
        _ file: AssemblyRequest, of app: AppID, _ take: @escaping @Sendable (String) async throws -> AssembledFile
    ) async throws -> AssembledFile {
        try await oneAtATime.run { [self] in
            let whole = folder + "/whole-" + Hex.encode(randomBytes(16))
            defer { try? Folder.remove(whole) }
            let pieces = file.pieces.map { Name(app: app, sum: $0) }
            let sum = try await queue.run { try self.write(pieces, to: whole) }
            guard sum == file.sum else { throw Refusal(.invalid, "The assembled file does not match its SHA-1.") }
            let joined = try await take(whole)
            remember(joined, as: Name(app: app, sum: file.sum))
            return joined
        }
    }

    private static func plain(_ part: FormParts.Part, _ largest: Int) throws(Refusal) -> [UInt8] {
        do throws(DecodeError) {
            return try decode(Array(part.bytes), coding: part.name == "file_gzip" ? .gzip : .identity, limit: largest)
        } catch {
            switch error {
            case .tooLarge: throw Refusal(.tooLarge, "A chunk has more than \(largest) bytes.")
            case .malformed: throw Refusal(.badRequest, "A chunk is not compressed as its name states.")
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

    private func checkCapacity(for bytes: Int) throws(Refusal) {
        let isFull = held.withLock { $0.bytes + bytes > most || $0.pieces.count >= SymbolChunks.mostPieces }
        guard isFull else { return }
        throw Refusal(.overloaded, "Too many symbol file chunks are waiting to be assembled.", hint: "Retry later.", retryAfterSeconds: 60)
    }

    /// Removes chunks older than an hour, and those that a clock set back would keep for longer than another one. Times slightly in the
    /// future are concurrent requests.
    private func expire(_ now: Timestamp) {
        let latest = now + SymbolChunks.age + SymbolChunks.age
        drop(Set(held.withLock { held in held.pieces.filter { $0.value.until <= now || $0.value.until > latest }.map(\.key) }))
    }

    private func drop(_ names: Set<Name>) {
        held.withLock { held in
            for name in names { held.bytes -= held.pieces.removeValue(forKey: name)?.bytes ?? 0 }
        }
        for name in names { try? Folder.remove(path(name)) }
    }

    private func remember(_ joined: AssembledFile, as name: Name) {
        held.withLock { held in
            if held.done.updateValue(joined, forKey: name) == nil { held.newest.append(name) }
            if held.newest.count > SymbolChunks.mostDone { held.done[held.newest.removeFirst()] = nil }
        }
    }

    private func path(_ name: Name) -> String { "\(folder)/piece-\(name.app.rawValue)-\(name.sum)" }
}
