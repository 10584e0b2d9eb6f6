import Crashes

/// A binary that a report's stacks lead through, without whose symbols they say less.
struct WantedSymbols: Sendable, Equatable {
    var debugID: String
    var name: String?
    var architecture: String?

    /// The binaries of frames that name no function, and of those in the app whose names are the device's guesses; not the system's own, whose symbols
    /// cannot be had.
    static func of(_ report: CrashReport, atMost limit: Int) -> [WantedSymbols] {
        guard report.images.contains(where: \.mayHaveSymbols) else { return [] }
        let images = ImageMap(report.images)
        var found: [WantedSymbols] = []
        for frame in report.allFrames where frame.wantsSymbols {
            guard found.count < limit, let image = images.image(of: frame), image.mayHaveSymbols, let id = image.debugID else { continue }
            let wanted = WantedSymbols(debugID: id.text, name: image.debugFile ?? image.codeFile, architecture: image.architecture)
            if !found.contains(where: { $0.debugID == wanted.debugID }) { found.append(wanted) }
        }
        return found
    }
}

extension CrashReport {
    /// Those of the crash itself before those of other threads.
    fileprivate var allFrames: [StackFrame] {
        exceptions.flatMap(\.frames) + frames + threads.sorted { $0.crashed && !$1.crashed }.flatMap(\.frames)
    }
}

extension StackFrame {
    fileprivate var wantsSymbols: Bool {
        guard address != nil, symbolication != .found else { return false }
        return function == nil || inApp == true
    }
}

extension BinaryImage {
    fileprivate var mayHaveSymbols: Bool { debugID != nil && !isOfTheSystem }
}
