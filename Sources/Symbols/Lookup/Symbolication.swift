// SPDX-License-Identifier: Apache-2.0

package import Crashes

/// Adds functions and lines to the addresses of a crash report.
package struct Symbolication {
    private let symbolizer: Symbolizer
    private let images: ImageMap
    /// The symbol file of each image that has one.
    private let files: [DebugID: String]

    /// Looks up all stacks of a report; `file` returns the symbol file of a debug ID. The result of repeated calls with more files is the
    /// same as that of one call with all.
    package static func of(
        _ report: CrashReport, with symbolizer: Symbolizer, file: (DebugID) throws -> String?
    ) throws -> CrashReport {
        let images = ImageMap(report.images)
        var files: [DebugID: String] = [:]
        for id in Set(report.stacks.joined().compactMap { images.image(of: $0)?.debugID }) { files[id] = try file(id) }
        let symbolication = Symbolication(symbolizer: symbolizer, images: images, files: files)
        return try symbolication.apply(to: report)
    }

    private func apply(to report: CrashReport) throws(SymbolizerError) -> CrashReport {
        let stacks = report.stacks.map { $0.filter { !($0.isInline && $0.symbolication == .found && $0.address != nil) } }
        let questions = stacks.map { stack in stack.indices.map { question(stack[$0], isInnermost: $0 == stack.count - 1) } }
        let lookups = Array(Set(questions.joined().compactMap { $0 }))
        let results = Dictionary(uniqueKeysWithValues: zip(lookups, try symbolizer.places(lookups)))
        let names = try symbolizer.names(of: results.values.joined().map(\.function) + report.mangledNames)
        let filled = zip(stacks, questions).map { stack, questions in
            var room = max(0, CrashLimits.threadFrames - stack.count)
            // If not all frames fit, those closest to the crash are kept.
            return zip(stack, questions).reversed().map { frame, question in
                let places = question.flatMap { results[$0] } ?? []
                let frames = self.frames(frame, question, places: places, names: names, inlines: room)
                room -= frames.count - 1
                return frames
            }.reversed().flatMap { $0 }
        }
        var report = report
        report.stacks = filled
        return report
    }

    /// Returns the address to look up. A caller's frame holds the return address, which may belong to another line or function.
    private func question(_ frame: StackFrame, isInnermost: Bool) -> SymbolLookup? {
        guard let address = frame.address, let image = images.image(of: frame), let id = image.debugID, let file = files[id] else { return nil }
        let offset = address &- (image.address ?? 0)
        return SymbolLookup(file: file, debugID: id, offset: isInnermost || offset == 0 ? offset : offset - 1)
    }

    /// Returns the frame followed by those inlined into its function; without a place, the frame with the reason.
    private func frames(
        _ frame: StackFrame, _ question: SymbolLookup?, places: [SymbolLocation], names: [String: String], inlines: Int
    ) -> [StackFrame] {
        guard !places.isEmpty else {
            var frame = frame
            frame.read(names)
            if frame.address != nil { frame.symbolication = question != nil ? .unknown : missing(frame) }
            return [frame]
        }
        return places.suffix(inlines + 1).reversed().enumerated().map { depth, place in
            frame.filled(with: place, name: names[place.function], isInline: depth > 0)
        }
    }

    private func missing(_ frame: StackFrame) -> StackFrame.Symbolication {
        guard let image = images.image(of: frame), image.debugID != nil, !image.isSystemImage else { return .none }
        return .missing
    }
}

extension StackFrame {
    fileprivate func filled(with place: SymbolLocation, name: String?, isInline: Bool) -> StackFrame {
        var frame = self
        frame.function = String((name ?? place.function).prefix(CrashLimits.nameCharacters))
        frame.rawFunction = name == nil ? nil : String(place.function.prefix(CrashLimits.nameCharacters))
        if let path = place.file {
            frame.absolutePath = String(path.prefix(CrashLimits.nameCharacters))
            frame.file = path.split(separator: "/").last.map { String($0.prefix(CrashLimits.nameCharacters)) }
            (frame.line, frame.column) = (place.line, place.column)
        }
        frame.isInline = isInline
        if isInline { frame.registers = [] }
        frame.symbolication = .found
        return frame
    }
}

extension StackFrame {
    /// Replaces a mangled name by its readable form. The mangled one is kept beside it.
    fileprivate mutating func read(_ names: [String: String]) {
        guard let mangled = function, let name = names[mangled] else { return }
        rawFunction = rawFunction ?? mangled
        function = String(name.prefix(CrashLimits.nameCharacters))
    }
}

extension CrashReport {
    /// The functions of its stacks that a demangler reads.
    package var mangledNames: [String] { stacks.joined().compactMap { $0.function.flatMap { Demangler.reads($0) ? $0 : nil } } }

    /// Replaces mangled names by their readable forms.
    package mutating func read(_ names: [String: String]) {
        var stacks = stacks
        for stack in stacks.indices {
            for frame in stacks[stack].indices { stacks[stack][frame].read(names) }
        }
        self.stacks = stacks
    }

    /// The stacks of its exceptions, of its threads, and its own.
    var stacks: [[StackFrame]] {
        get { exceptions.map(\.frames) + threads.map(\.frames) + [frames] }
        set {
            for index in exceptions.indices { exceptions[index].frames = newValue[index] }
            for index in threads.indices { threads[index].frames = newValue[exceptions.count + index] }
            frames = newValue[exceptions.count + threads.count]
        }
    }
}
