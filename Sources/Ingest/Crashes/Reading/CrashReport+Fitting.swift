import Crashes
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

    private var isTooLarge: Bool { json.count > CrashLimits.reportBytes }

    /// The threads that a crash is looked for in.
    private var tellingThreads: [CrashThread] {
        let named = Set(exceptions.compactMap(\.thread))
        return threads.filter { $0.crashed || $0.current || $0.id.map(named.contains) == true }
    }
}
