// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Platform
import AcrossStores
import TestSupport
import Testing

/// Results depend on what happened, not on the order or number of deliveries.
///
/// Of the three logs of an era one is asked about. `SIGNALBOX_QUERY_LOGS` asks about all of ten.
@Suite struct ArrivalOrderTests {
    private static let logsPerEra: UInt64 = RandomRuns.logs == nil ? 3 : 10
    private static let askedPerEra = RandomRuns.logs == nil ? 1 : 10
    /// The number of eras at once.
    private static let lanes = 2

    @Test(arguments: 0..<lanes)
    func `the same events in another order, on other days and repeated give identical results`(lane: Int) async throws {
        for era in stride(from: lane, to: Era.all.count, by: Self.lanes) { try await Self.compare(era) }
    }

    private static func compare(_ era: Int) async throws {
        let first = UInt64(1_000_000 + 10 * era)
        let seeds = first..<first + Self.logsPerEra
        let logs = seeds.map { LogMaker.log($0, Era.all[era]).withoutConflicts() }
        let others = logs.map { $0.retold() }
        let (folder, copy) = (TemporaryFolder(), TemporaryFolder())
        // Both stores have the same secret, which decides between users named in the same millisecond.
        try await withStore(in: folder, clock: ManualClock(Era.all[era].day.start).clock) { _ in }
        try FileManager.default.removeItem(atPath: copy.path)
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        let answers = try await Self.answers(logs, in: folder)
        let otherAnswers = try await Self.answers(others, in: copy)
        for (number, answer) in answers.enumerated() {
            if let difference = otherAnswers[number].answer.difference(from: answer.answer) {
                Issue.record("seed \(answer.seed): \(answer.question): \(difference)")
            }
        }
    }

    private struct Answered: Sendable {
        var seed: UInt64
        var question: Question
        var answer: Answer
    }

    private static func answers(_ logs: [Log], in folder: TemporaryFolder) async throws -> [Answered] {
        let clock = ManualClock(logs[0].era.day.start + .hours(12))
        return try await withStore(in: folder, options: options, clock: clock.clock) { store async throws in
            try await feed(logs, to: store, clock)
            var answers: [Answered] = []
            for log in logs.prefix(askedPerEra) {
                for question in Question.some(about: log) {
                    let answer = try await Answer(of: store, to: question.query(now: log.now), app: log.app)
                    answers.append(Answered(seed: log.seed, question: question, answer: answer))
                }
            }
            return answers
        }
    }
}

extension Log {
    /// Leaves one event per transaction, because the first to arrive counts.
    fileprivate func withoutConflicts() -> Log {
        var (log, transactions) = (self, [String: String]())
        for day in log.events.indices {
            log.events[day].removeAll { event in
                guard let transaction = event.transaction, event.name != "refund" else { return false }
                defer { if transactions[transaction] == nil { transactions[transaction] = event.id } }
                return transactions[transaction].map { $0 != event.id } ?? false
            }
        }
        return log
    }

    /// The same log in another order, with duplicates.
    fileprivate func retold() -> Log {
        var (log, random) = (self, SeededGenerator(~seed))
        for day in log.events.indices { (log.events[day], log.updates[day]) = ([], []) }
        for event in events.flatMap(\.self) {
            for _ in 0..<Int.random(in: 1...2, using: &random) { log.events[Int.random(in: 0..<Log.days, using: &random)].append(event) }
        }
        for update in updates.flatMap(\.self) { log.updates[Int.random(in: 0..<Log.days, using: &random)].append(update) }
        for day in log.events.indices { log.events[day].shuffle(using: &random) }
        return log
    }
}
