// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import JSON
import Platform

/// Crash bodies. Every crash is accounted for, every report is within its limits, and the stored form reads as the same.
enum CrashBodies {
    private static let decoder = NativeCrashes(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        guard let batch = try? decoder.decode(bytes, query: [("release", "a@1")], app: Given.app, received: Given.received, hash: Given.hash) else {
            return
        }
        let indices = batch.crashes.map(\.index) + batch.quarantined.map(\.verdict.index)
        require(Set(indices) == Set(0..<indices.count) && indices.count <= CrashLimits.reportsPerRequest, "a crash was lost or counted twice")
        for event in batch.quarantined { require(event.raw.range.upperBound <= batch.body.count, "a range outside its bytes") }
        checkReports(of: batch)
        let stored = batch.crashes.map { CrashVerdict(index: $0.index, id: $0.report.id, isDuplicate: false, issue: "1") }
        checkJSON(responseBody(batch, stored: stored))
    }
}

/// Apple's crash reports. They are decoded completely or rejected.
enum AppleReportBodies {
    private static let decoder = AppleReports(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        guard let batch = try? decoder.decode(bytes, app: Given.app, received: Given.received, hash: Given.hash) else { return }
        require(batch.crashes.count + batch.quarantined.count == 1, "one report became several, or none")
        checkReports(of: batch)
    }
}

private let stored = StoredCrashes(parser: Given.parser)

private func checkReports(of batch: CrashBatch) {
    accepted()
    for entry in batch.crashes {
        let report = entry.report
        require(stored.report(report.json) == report, "the stored report decodes differently")
        require(report.time <= batch.received + TimeRules.future && !report.type.isEmpty && !report.id.isEmpty, "a report without time, type or id")
        let stacks = report.exceptions.map(\.frames) + report.threads.map(\.frames) + [report.frames]
        require(stacks.allSatisfy { $0.count <= CrashLimits.frames }, "a stack exceeds its limit")
        require(report.exceptions.count <= CrashLimits.exceptions && report.threads.count <= CrashLimits.threads, "a list exceeds its limit")
        require(report.images.count <= CrashLimits.images && report.customKeys.count <= CrashLimits.customKeys, "a list exceeds its limit")
        require(report.reason?.unicodeScalars.count ?? 0 <= CrashLimits.reasonCharacters, "a reason exceeds its limit")
        require(report.type.unicodeScalars.count <= CrashLimits.typeCharacters, "a type exceeds its limit")
    }
}
