// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Events

extension CrashReport {
    /// Leaves out what tells least of a crash, until it has no more bytes than are kept of one; answers what that was.
    mutating func fit() throws(EventFault) -> [CrashCut] {
        guard isTooLarge else { return [] }
        let whole = self
        let telling = tellingThreads
        if !telling.isEmpty { threads = telling }
        if isTooLarge { breadcrumbs = [] }
        if isTooLarge { images = [] }
        if isTooLarge { throw EventFault(.valueTooLong, "crash", "Has more than \(CrashLimits.reportBytes) bytes, whatever is left out.") }
        let lost = [
            ("threads", threads.count < whole.threads.count), ("breadcrumbs", breadcrumbs.count < whole.breadcrumbs.count),
            ("images", images.count < whole.images.count),
        ]
        let message = "The report had more than \(CrashLimits.reportBytes) bytes, and these were left out."
        return lost.filter(\.1).map { CrashCut(reason: .valueTooLong, field: $0.0, message: message) }
    }

    /// What is kept of it once its addresses were looked up. Names can make it many times as large: where there is no room for all, only the
    /// stacks that a crash is looked for in get theirs, or none.
    package func named(by readable: CrashReport) -> CrashReport {
        if readable.json.count <= CrashLimits.readableReportBytes { return readable }
        var partly = readable
        for place in threads.indices where !isTelling(threads[place]) { partly.threads[place] = threads[place] }
        return partly.json.count <= CrashLimits.readableReportBytes ? partly : self
    }

    private var isTooLarge: Bool { json.count > CrashLimits.reportBytes }

    /// The threads that a crash is looked for in.
    private var tellingThreads: [CrashThread] { threads.filter(isTelling) }

    private func isTelling(_ thread: CrashThread) -> Bool {
        thread.crashed || thread.current || thread.id != nil && exceptions.contains { $0.thread == thread.id }
    }
}
