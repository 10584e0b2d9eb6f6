// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

/// A client that makes random commits, transactions and reads of a few documents, and repeats a commit until it is answered.
struct DocumentProgramClient: Sendable {
    static let paths = (0..<6).map { "c/d\($0)" }

    private let number: Int
    private let key: String
    private var random: SeededGenerator
    private var batch = 0
    /// A commit that was sent and has no answer yet.
    private(set) var pending: DocumentHistory.Commit?
    private var stamps: [Int] = []
    private(set) var history = DocumentHistory()

    init(_ number: Int, key: String, seed: UInt64) {
        self.number = number
        self.key = key
        random = SeededGenerator(seed)
    }

    /// Sends requests until the daemon is gone.
    mutating func work(_ api: TestClient, requests: Int) async {
        do {
            let connection = try api.connect()
            if pending != nil { try await deliver(over: connection) }
            for _ in 0..<requests { try await step(over: connection) }
        } catch is ConnectionFailure {
            // The daemon was killed; the next one gets what is not answered.
        } catch {
            history.problems.append("client \(number): \(error)")
        }
    }

    private mutating func step(over connection: HTTPConnection) async throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try await read(Self.paths, over: connection).map { history.reads.append($0) }
        case 1: try await find(over: connection).map { history.reads.append($0) }
        case 2: try await readThePast(over: connection)
        case 3, 4: try await transact(over: connection)
        case 5: try await transactOnQuery(over: connection)
        default: try await commit((0...Int.random(in: 0...2, using: &random)).map { _ in write() }, over: connection)
        }
    }

    private mutating func path() -> String { Self.paths[Int.random(in: 0..<Self.paths.count, using: &random)] }

    private mutating func write() -> DocumentHistory.Write {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .delete(path())
        case 1, 2: .add(path(), Int.random(in: 0...3, using: &random))
        default: .set(path(), Int.random(in: 0...9, using: &random))
        }
    }

    // MARK: Transactions

    /// Reads two documents and writes a third one or one of them.
    private mutating func transact(over connection: HTTPConnection) async throws {
        guard let read = try await read([path(), path()], over: connection) else { return }
        let sum = read.reading.versions.values.count { $0 > 0 }
        try await commit([.set(path(), sum), .add(path(), 1)], reading: read.reading, at: read.stamp, over: connection)
    }

    /// Reads a query's result and writes its count.
    private mutating func transactOnQuery(over connection: HTTPConnection) async throws {
        guard let read = try await find(over: connection) else { return }
        try await commit([.set(path(), read.reading.found.count)], reading: read.reading, at: read.stamp, over: connection)
    }

    private mutating func commit(
        _ writes: [DocumentHistory.Write], reading: DocumentHistory.Reading = .init(), at stamp: Int = 0, over connection: HTTPConnection
    ) async throws {
        batch += 1
        let now = ContinuousClock.now
        pending = DocumentHistory.Commit(stamp: stamp, began: now, ended: now, writes: writes, reading: reading)
        try await deliver(over: connection)
    }

    private mutating func deliver(over connection: HTTPConnection) async throws {
        guard var commit = pending else { return }
        let reply = try await send("commit", body(of: commit), over: connection)
        commit.ended = .now
        pending = nil
        switch reply.status {
        case 200:
            commit.stamp = try JSON(reply)["stamp"].number
            stamps.append(commit.stamp)
            history.commits.append(commit)
        case 409 where !commit.reading.versions.isEmpty || commit.reading.bound != nil: break
        default: history.problems.append("client \(number): \(reply.status) \(reply.text)")
        }
    }

    private func body(of commit: DocumentHistory.Commit) -> String {
        let reads = commit.reading.versions.map { #"{"path": "\#($0)", "version": \#($1)}"# }.joined(separator: ",")
        let queries = commit.reading.bound.map { #"{"query": \#(Self.query($0)), "stamp": \#(commit.stamp)}"# } ?? ""
        let writes = commit.writes.map(\.json).joined(separator: ",")
        return #"{"writes": [\#(writes)], "reads": [\#(reads)], "queries": [\#(queries)], "client": "c\#(number)", "batch": \#(batch)}"#
    }

    // MARK: Reads

    private static func query(_ bound: Int) -> String { #"{"from": "c", "where": ["n", ">=", \#(bound)]}"# }

    private mutating func readThePast(over connection: HTTPConnection) async throws {
        guard let stamp = stamps.randomElement(using: &random) else { return }
        if let read = try await read(Self.paths, at: stamp, over: connection) { history.pastReads.append(read) }
    }

    /// Reads documents. Nil if the request was refused, which is noted.
    private mutating func read(_ paths: [String], at stamp: Int? = nil, over connection: HTTPConnection) async throws -> DocumentHistory.Read? {
        let began = ContinuousClock.now
        let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
        guard let json = try await ask("get", #"{"paths": [\#(list)]\#(stamp.map { ", \"at\": \($0)" } ?? "")}"#, over: connection) else {
            return nil
        }
        var reading = DocumentHistory.Reading()
        for document in json["documents"].items {
            reading.versions[document["path"].text] = document["version"].exists ? document["version"].number : 0
        }
        return DocumentHistory.Read(stamp: json["stamp"].number, began: began, reading: reading)
    }

    private mutating func find(over connection: HTTPConnection) async throws -> DocumentHistory.Read? {
        let (began, bound) = (ContinuousClock.now, Int.random(in: 0...9, using: &random))
        guard let json = try await ask("query", Self.query(bound), over: connection) else { return nil }
        var reading = DocumentHistory.Reading(bound: bound)
        for document in json["documents"].items { reading.found[document["path"].text] = document["version"].number }
        return DocumentHistory.Read(stamp: json["stamp"].number, began: began, reading: reading)
    }

    private mutating func ask(_ verb: String, _ body: String, over connection: HTTPConnection) async throws -> JSON? {
        let reply = try await send(verb, body, over: connection)
        if reply.status == 200 { return try JSON(reply) }
        history.problems.append("client \(number), \(verb): \(reply.status) \(reply.text)")
        return nil
    }

    private func send(_ verb: String, _ body: String, over connection: HTTPConnection) async throws -> Reply {
        try await connection.exchange(
            TestClient.bytes(
                "POST", "/v1/documents:\(verb)", key: key, headers: ["Content-Type": "application/json"], body: Array(body.utf8)))
    }
}
