// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Events

extension CrashReport {
    /// Removes the least useful parts until the report is within its size limit. Returns the cuts.
    mutating func fit() throws(EntryError) -> [CrashCut] {
        guard isTooLarge else { return [] }
        let whole = self
        let telling = groupingThreads
        if !telling.isEmpty { threads = telling }
        if isTooLarge { breadcrumbs = [] }
        if isTooLarge { images = [] }
        if isTooLarge {
            throw EntryError(.valueTooLong, "crash", "Has more than \(CrashLimits.reportBytes) bytes even after all optional parts were omitted.")
        }
        let lost = [
            ("threads", threads.count < whole.threads.count), ("breadcrumbs", breadcrumbs.count < whole.breadcrumbs.count),
            ("images", images.count < whole.images.count),
        ]
        let message = "The report had more than \(CrashLimits.reportBytes) bytes; this part was omitted."
        return lost.filter(\.1).map { CrashCut(reason: .valueTooLong, field: $0.0, message: message) }
    }

    /// Returns the report after symbolication within its size limit. Names can multiply its size; if they do not fit, only the stacks used
    /// for grouping get them, or none.
    package func named(by readable: CrashReport) -> CrashReport {
        if readable.json.count <= CrashLimits.readableReportBytes { return readable }
        var partly = readable
        for place in threads.indices where !isGroupingThread(threads[place]) { partly.threads[place] = threads[place] }
        return partly.json.count <= CrashLimits.readableReportBytes ? partly : self
    }

    private var isTooLarge: Bool { json.count > CrashLimits.reportBytes }

    /// The threads used for grouping.
    private var groupingThreads: [CrashThread] { threads.filter(isGroupingThread) }

    private func isGroupingThread(_ thread: CrashThread) -> Bool {
        thread.crashed || thread.current || thread.id != nil && exceptions.contains { $0.thread == thread.id }
    }
}
