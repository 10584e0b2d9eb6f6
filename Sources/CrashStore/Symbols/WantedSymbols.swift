// SPDX-License-Identifier: Apache-2.0

import Crashes

/// A binary in a report's stacks whose symbols would improve them.
struct WantedSymbols: Sendable, Equatable {
    var debugID: String
    var name: String?
    var architecture: String?
    /// Whether the binary is part of the operating system. Its symbols are used if uploaded, but not requested.
    var isOfTheSystem: Bool

    /// Returns the binaries of frames without a function, and of frames in the app with a function guessed by the device. System binaries
    /// are last.
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
    /// All frames, those of the crash before those of other threads.
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
