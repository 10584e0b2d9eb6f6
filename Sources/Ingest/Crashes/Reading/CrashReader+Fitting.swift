import Crashes
import Events

extension CrashReader {
    /// Leaves out what tells least of a crash, until the report has no more bytes than are kept of one.
    mutating func fit(_ report: inout CrashReport) throws(EventFault) {
        let whole = report
        let telling = report.tellingThreads
        if report.isTooLarge, !telling.isEmpty { report.threads = telling }
        if report.isTooLarge { report.breadcrumbs = [] }
        if report.isTooLarge { report.images = [] }
        if report.isTooLarge { throw EventFault(.valueTooLong, "crash", "Has more than \(CrashLimits.reportBytes) bytes, whatever is left out.") }
        let message = "The report had more than \(CrashLimits.reportBytes) bytes, and these were left out."
        if report.threads.count < whole.threads.count { cut(.valueTooLong, "threads", message) }
        if report.breadcrumbs.count < whole.breadcrumbs.count { cut(.valueTooLong, "breadcrumbs", message) }
        if report.images.count < whole.images.count { cut(.valueTooLong, "images", message) }
    }
}

extension CrashReport {
    fileprivate var isTooLarge: Bool { json.count > CrashLimits.reportBytes }

    /// The threads that a crash is looked for in.
    fileprivate var tellingThreads: [CrashThread] {
        let named = Set(exceptions.compactMap(\.thread))
        return threads.filter { $0.crashed || $0.current || $0.id.map(named.contains) == true }
    }
}
