import Crashes

/// A binary that a report's stacks lead through, without whose symbols they say less.
struct WantedSymbols: Sendable, Equatable {
    var debugID: String
    var name: String?
    var architecture: String?
    /// Its symbols are used where somebody has brought them, and not waited for.
    var isOfTheSystem: Bool

    /// The binaries of frames that name no function, and of those in the app whose names are the device's guesses; the system's own behind all others.
    static func of(_ report: CrashReport, atMost limit: Int) -> [WantedSymbols] {
        let images = report.images.filter { $0.debugID != nil }
        if images.isEmpty { return [] }
        var found: [WantedSymbols] = []
        for frame in report.allFrames where frame.wantsSymbols {
            guard let image = images.first(where: { $0.holds(frame) }), let id = image.debugID?.text else { continue }
            if found.contains(where: { $0.debugID == id }) { continue }
            let name = image.debugFile ?? image.codeFile
            found.append(WantedSymbols(debugID: id, name: name, architecture: image.architecture, isOfTheSystem: image.isOfTheSystem))
        }
        return Array(found.sorted { !$0.isOfTheSystem && $1.isOfTheSystem }.prefix(limit))
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
    fileprivate func holds(_ frame: StackFrame) -> Bool {
        guard let start = address else { return false }
        if let image = frame.imageAddress { return image == start }
        guard let size, let place = frame.address, place >= start else { return false }
        return place - start < size
    }
}
