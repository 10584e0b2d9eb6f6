// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// Batches that a source reads from a day's file, at every batch size.
@Suite struct EventSourceTests {
    private static let app = AppID(rawValue: 1)
    private static let now = Day(year: 2026, month: 11, day: 1).start + .hours(9)
    private static let count = EventBatch.capacity * 2 + 7

    /// Opens a file with `count` events: names in turn, a parameter with three values, every fifth a purchase.
    private static func withFile(_ body: @Sendable (DayDB, Stores) throws -> Void) async throws {
        try await withStore(clock: ManualClock(now).clock) { store in
            var request = SubmissionBuilder(app: app, store: store, received: now)
            for number in 0..<count {
                let isSale = number % 5 == 0
                request.add(
                    isSale ? "purchase" : "event_\(number % 3)", id: "\(number)", time: now + .seconds(Int64(number)), user: "user \(number % 7)",
                    params: number % 4 == 0 ? "{}" : #"{"plan":"p\#(number % 3)"}"#,
                    typed: isSale ? .sale(transaction: nil, amount: Int64(number), currency: "EUR") : .nothing)
            }
            _ = try await store.events.submit(request.submission())
            try body(try DayDB.open(reading: store.paths.file(of: Day(of: now))), store)
        }
    }

    private static func key(_ name: String, _ store: Stores) -> UInt64 { store.events.hash(.name, app: app, Array(name.utf8).span) }

    @Test func `batches contain every event once in either order`() async throws {
        try await Self.withFile { file, _ in
            for (order, expected) in [
                (EventRequest.Order.ascending, Array(1...Int64(Self.count))), (.descending, (1...Int64(Self.count)).reversed()),
            ] {
                var request = EventRequest(Self.app, .seq)
                request.order = order
                request.firstBatch = 3
                var (seqs, sizes): ([Int64], [Int]) = ([], [])
                try file.source(request).eachBatch {
                    seqs += $0.seqs
                    sizes.append($0.count)
                }
                #expect(seqs == expected)
                #expect(sizes.prefix(4) == [3, 12, 48, 192])
                #expect(sizes.allSatisfy { $0 <= EventBatch.capacity })
            }
        }
    }

    @Test func `only requested columns are filled`() async throws {
        try await Self.withFile { file, _ throws in
            var batch = EventBatch()
            #expect(try file.source(EventRequest(Self.app, [.time, .user])).next(into: &batch) == true)
            #expect(batch.times.count == batch.count && batch.users.count == batch.count)
            #expect(batch.seqs.isEmpty && batch.sessions.isEmpty && batch.params.isEmpty && batch.codes.isEmpty && batch.passed.isEmpty)
        }
    }

    @Test func `a value has the same code in all batches`() async throws {
        try await Self.withFile { file, _ in
            var request = EventRequest(Self.app, .seq)
            request.field = .param("plan")
            request.firstBatch = 1
            try file.source(request).eachBatch { batch in
                for row in batch.rows {
                    let number = Int(batch.seqs[row]) - 1
                    let expected = number % 4 == 0 ? nil : Array("p\(number % 3)".utf8)
                    #expect(batch.values[batch.codes[row]] == expected)
                }
                #expect(batch.values.texts.count <= 3)
            }
        }
    }

    @Test func `filters exclude events, and tests mark them`() async throws {
        try await Self.withFile { file, store in
            var request = EventRequest(Self.app, .seq, where: [.names(["event_1", "event_2"].map { Self.key($0, store) })])
            request.filters = [Filter(path: .param("plan"), comparison: .equal, values: ["p1", "p2"])]
            request.tests = [
                .init(names: [Self.key("event_2", store)], filters: []),
                .init(names: nil, filters: [Filter(path: .param("plan"), comparison: .equal, values: ["p1"])]),
            ]
            var found: [Int64: UInt32] = [:]
            try file.source(request).eachBatch { batch in
                for row in batch.rows { found[batch.seqs[row]] = batch.passed[row] }
            }
            var expected: [Int64: UInt32] = [:]
            for number in 0..<Self.count where number % 5 != 0 && number % 4 != 0 && number % 3 != 0 {
                expected[Int64(number) + 1] = number % 3 == 2 ? 1 : 2
            }
            #expect(found == expected)
        }
    }

    @Test func `purchases have an amount, other events none`() async throws {
        try await Self.withFile { file, _ in
            var amounts: [Int64] = []
            try file.source(EventRequest(Self.app, .purchase, where: [.isSale])).eachBatch { amounts += $0.purchases.compactMap { $0?.amount } }
            #expect(amounts.sorted() == (0..<Self.count).filter { $0 % 5 == 0 }.map(Int64.init))
            var others = 0
            try file.source(EventRequest(Self.app, .purchase)).eachBatch { others += $0.purchases.count { $0 == nil } }
            #expect(others == Self.count - amounts.count)
        }
    }

    @Test func `large parameters end a batch early`() async throws {
        try await withStore(clock: ManualClock(Self.now).clock) { store in
            var request = SubmissionBuilder(app: Self.app, store: store, received: Self.now)
            let text = String(repeating: "x", count: 300 << 10)
            for number in 0..<9 { request.add("large", id: "\(number)", params: #"{"text":"\#(text)"}"#) }
            _ = try await store.events.submit(request.submission())
            var sizes: [Int] = []
            try DayDB.open(reading: store.paths.file(of: Day(of: Self.now))).source(EventRequest(Self.app, .params)).eachBatch {
                sizes.append($0.count)
            }
            #expect(sizes == [4, 4, 1])
        }
    }

    @Test func `events of other apps or with other names are not read`() async throws {
        try await Self.withFile { file, store throws in
            var batch = EventBatch()
            #expect(try file.source(EventRequest(AppID(rawValue: 2), .seq)).next(into: &batch) == false)
            #expect(try file.source(EventRequest(Self.app, .seq, where: [.names([Self.key("never sent", store)])])).next(into: &batch) == false)
        }
    }

    /// A reader with a statement of its own would miss events that a file keeps in another form than rows.
    @Test func `event rows are selected by one statement`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files = try #require(FileManager.default.enumerator(at: root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil))
        // The number or the time of one row found by its number; examples of users' SQL.
        let others = try Regex("SELECT (max\\(seq\\)|received|seq) FROM events|///|dashboard-cli query sql")
        var found: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            where line.contains(" events") && line.contains(/(FROM|JOIN) events\b/) && line.firstMatch(of: others) == nil
                && !file.path.contains("OpenAPI")
            {
                found.insert(file.lastPathComponent)
            }
        }
        #expect(found == ["RowSelect+SQL.swift"])
    }
}

extension DayDB {
    /// A source of all rows, whether withdrawn or not.
    fileprivate func source(_ request: EventRequest) throws -> some EventSource { try source(request, withdrawn: .included) }
}
