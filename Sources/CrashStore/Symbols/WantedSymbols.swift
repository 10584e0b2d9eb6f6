// SPDX-License-Identifier: Apache-2.0

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
        guard report.images.contains(where: { $0.debugID != nil }) else { return [] }
        let images = ImageMap(report.images)
        var (found, ids): ([WantedSymbols], Set<String>) = ([], [])
        for frame in report.allFrames where frame.wantsSymbols {
            guard let image = images.image(of: frame), let id = image.debugID?.text, ids.insert(id).inserted else { continue }
            let name = image.debugFile ?? image.codeFile
            found.append(WantedSymbols(debugID: id, name: name, architecture: image.architecture, isOfTheSystem: image.isSystemImage))
        }
        return Array((found.filter { !$0.isOfTheSystem } + found.filter(\.isOfTheSystem)).prefix(limit))
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
