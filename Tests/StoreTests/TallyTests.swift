// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct TallyTests {
    private struct Bucket: Hashable {
        var app: Int64
        var metric: RollupMetric
        var grain: Grain
        var bucket: Int64
        var word: Int64
    }

    @Test func `a tally matches a dictionary by minute, hour and day`() {
        var random = SeededGenerator(1)
        var tally = RollupTally()
        for _ in 0..<3 {
            tally.removeAll()
            var model: [Bucket: [Int64]] = [:]
            for _ in 0..<5_000 {
                let app = Int64.random(in: 1...3, using: &random)
                let metric = RollupMetric.allCases.randomElement(using: &random) ?? .events
                let word = Int64.random(in: 0..<20, using: &random)
                // Around 1970, where division that truncates towards zero would merge two buckets.
                let time = Int64.random(in: -3 * Day.milliseconds..<3 * Day.milliseconds, using: &random)
                let amount = Int64.random(in: -5...5, using: &random)
                tally.count(metric, app: app, word: word, time: time, amount: amount)
                for grain in [Grain.minute, .hour, .day] {
                    let key = Bucket(app: app, metric: metric, grain: grain, bucket: time.flooredQuotient(by: grain.milliseconds), word: word)
                    model[key, default: [0, 0]][0] += 1
                    model[key, default: [0, 0]][1] += amount
                }
            }
            tally.addCoarserGrains()
            #expect(tally.sums.count == model.count)
            for sum in tally.sums {
                let key = Bucket(app: sum.app, metric: sum.metric, grain: sum.grain, bucket: sum.bucket, word: sum.word)
                #expect(model[key] == [sum.count, sum.amount])
            }
        }
    }

    @Test func `an amount saturates at the limits of Int64`() {
        var tally = RollupTally()
        for _ in 0..<3 { tally.count(.purchases, app: 1, word: 1, time: 0, amount: .max) }
        for _ in 0..<3 { tally.count(.refunds, app: 1, word: 1, time: 0, amount: .min) }
        tally.addCoarserGrains()
        #expect(tally.sums.allSatisfy { $0.count == 3 && $0.amount == ($0.metric == .purchases ? .max : .min) })
        #expect(tally.sums.count == 6)
    }

    @Test func `each quarter-hour of a person is new once, and a new earliest one is marked`() {
        var random = SeededGenerator(2)
        var quarters = ActiveQuarters()
        var model: [ActiveQuarters.Entry: Set<Int>] = [:]
        var minutes: [ActiveQuarters.Entry: Int32] = [:]
        for _ in 0..<20_000 {
            let entry = ActiveQuarters.Entry(
                app: .random(in: 1...2, using: &random), day: .random(in: 0..<3, using: &random), installation: .random(in: 0..<30, using: &random),
                user: .random(in: 0..<5, using: &random))
            let quarter = Int.random(in: 0..<96, using: &random)
            let known = model[entry] ?? []
            let effect: ActiveQuarters.Effect = known.contains(quarter) ? .none : quarter < known.min() ?? 96 ? .earliest : .quarter
            let minute = Int32.random(in: 0..<4, using: &random)
            let marked = quarters.mark(entry, quarter: quarter, minute: minute)
            #expect(marked == (effect, minutes[entry] != minute))
            minutes[entry] = minute
            model[entry, default: []].insert(quarter)
        }
        quarters.removeAll()
        let entry = ActiveQuarters.Entry(app: 1, day: 0, installation: 1, user: 1)
        #expect(quarters.mark(entry, quarter: 95, minute: 1) == (.earliest, true))
    }

    @Test func `a quarter-hour is one of 96 bits`() {
        var all = ActiveQuarters.Bits()
        for quarter in 0..<96 {
            let bits = ActiveQuarters.Bits(quarter: quarter)
            #expect(bits.first == quarter)
            #expect(bits.early.nonzeroBitCount + bits.late.nonzeroBitCount == 1)
            #expect(bits.early & all.early == 0 && bits.late & all.late == 0)
            all.early |= bits.early
            all.late |= bits.late
        }
        #expect(all.first == 0)
    }
}
