// SPDX-License-Identifier: Apache-2.0

import Crashes

/// A binary in a report's stacks, or a minified file, whose symbols would improve them.
struct WantedSymbols: Sendable, Equatable {
    /// The ID under which the report waits.
    var debugID: String
    /// The IDs under which the symbols may be stored.
    var places: [String]
    var name: String?
    var architecture: String?
    /// Whether the binary is part of the operating system. Its symbols are used if uploaded, but not requested.
    var isOfTheSystem = false
    /// Whether they are listed as missing. Scripts that may not be minified, and binaries on no stack of a minidump, only wait.
    var isListed = true

    init(_ id: DebugID, places: [DebugID]? = nil) {
        debugID = id.text
        self.places = (places ?? [id]).map(\.text)
    }

    private init(_ id: DebugID, of image: BinaryImage) {
        self.init(id)
        (name, architecture, isOfTheSystem) = (image.debugFile ?? image.codeFile, image.architecture, image.isSystemImage)
    }

    /// Returns the binaries of frames without a function, and of frames in the app with a function guessed by the device, then scripts and
    /// mappings. System binaries are last.
    static func of(_ report: CrashReport, atMost limit: Int) -> [WantedSymbols] {
        let found = binaries(of: report) + scripts(of: report) + mappings(of: report)
        return Array((found.filter { !$0.isOfTheSystem } + found.filter(\.isOfTheSystem)).prefix(limit))
    }

    /// Returns the scripts and mappings of frames that had no file when the report was symbolicated.
    static func stillMissing(_ report: CrashReport, atMost limit: Int) -> [WantedSymbols] {
        guard report.allFrames.contains(where: { $0.address == nil && $0.symbolication == .missing }) else { return [] }
        return Array((scripts(of: report) { $0.symbolication == .missing } + mappings(of: report) { $0.symbolication == .missing }).prefix(limit))
    }

    private static func binaries(of report: CrashReport) -> [WantedSymbols] {
        guard report.images.contains(where: { $0.debugID != nil }) else { return [] }
        let images = ImageMap(report.images)
        var (found, ids): ([WantedSymbols], Set<DebugID>) = ([], [])
        for frame in report.allFrames where frame.wantsSymbols {
            guard let image = images.image(of: frame), let id = image.debugID, ids.insert(id).inserted else { continue }
            found.append(WantedSymbols(id, of: image))
        }
        // Unwind records lead to callers in further binaries.
        guard report.threads.contains(where: { $0.frames.contains { $0.trust != nil } }) else { return found }
        for image in report.images where !image.isSystemImage {
            guard let id = image.debugID, ids.insert(id).inserted else { continue }
            found.append(WantedSymbols(id, of: image))
            found[found.count - 1].isListed = false
        }
        return found
    }

    private static func scripts(of report: CrashReport, where isWanted: (StackFrame) -> Bool = { _ in true }) -> [WantedSymbols] {
        let scripts = ScriptFrames(report)
        var (found, places): ([WantedSymbols], [DebugID: Int]) = ([], [:])
        for frame in report.allFrames where scripts.contains(frame) && isWanted(frame) {
            guard let id = scripts.awaitedID(of: frame) else { continue }
            if places[id] == nil {
                places[id] = found.count
                found.append(WantedSymbols(id, places: scripts.ids(of: frame)))
                (found[found.count - 1].name, found[found.count - 1].isListed) = (frame.url, false)
            }
            if let place = places[id], scripts.isMinified(frame) { found[place].isListed = true }
        }
        return found
    }

    private static func mappings(of report: CrashReport, where isWanted: (StackFrame) -> Bool = { _ in true }) -> [WantedSymbols] {
        let classes = ClassFrames(report)
        guard report.allFrames.contains(where: { classes.contains($0) && $0.inApp != false && isWanted($0) }) else { return [] }
        return classes.ids.map { WantedSymbols($0) }
    }
}

extension StackFrame {
    fileprivate var wantsSymbols: Bool {
        guard address != nil, symbolication != .found else { return false }
        return function == nil || inApp == true
    }
}
