// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Events
package import JSON
import Platform

/// Decodes reports written by `CrashReport.json`.
package struct StoredCrashes: Sendable {
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Returns nil for JSON that is not a stored report.
    package func report(_ json: [UInt8]) -> CrashReport? {
        parser.withReader { reader in
            guard let tape = try? reader.parse(json) else { return nil }
            defer { reader.reuse(tape) }
            var parts = CrashReader(tape, isOurs: true)
            return parts.storedReport
        }
    }
}

extension CrashReader {
    fileprivate var storedReport: CrashReport? {
        mutating get {
            guard let id = tape.value("id", of: 0), let moment = tape.value("timestamp", of: 0), let type = tape.value("type", of: 0),
                let kind: CrashKind = word("kind", of: 0), let level: CrashLevel = word("level", of: 0),
                let time = Timestamp(moment, in: SourceText(tape: tape))
            else { return nil }
            var report = CrashReport(id: whole(id), kind: kind, level: level, time: time, type: whole(type))
            read(0, into: &report)
            report.installation = text("installation_id", of: 0)
            report.user = text("user_id", of: 0)
            report.session = text("session_id", of: 0)
            report.release = text("release", of: 0)
            report.build = text("build", of: 0)
            report.platform = text("platform", of: 0)
            if let context = tape.value("context", of: 0) { report.context = customKeys(context) }
            if let cuts = tape.value("cuts", of: 0) { report.cuts = tape.elements(of: cuts).map { whole($0) } }
            return report
        }
    }

    private func whole(_ place: Int) -> String { tape.lossyText(tape[place]) }
}
