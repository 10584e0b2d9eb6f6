// SPDX-License-Identifier: Apache-2.0

package import Crashes

/// A stored file of symbols, with the minified file of a source map.
package struct SymbolSource: Sendable {
    package var file: String
    package var format: SymbolFormat
    package var code: String?

    package init(file: String, format: SymbolFormat, code: String? = nil) {
        self.file = file
        self.format = format
        self.code = code
    }
}

/// Replaces frames of minified JavaScript and obfuscated Java by those of the source.
///
///     a (app.min.js:1:4711)      →  checkout (src/cart.ts:12:7), with the lines around it
///     a.b.a (SourceFile:4)       →  Item.check (Item.kt:7), inlined into Cart.pay (Cart.kt:13)
///
/// A replaced frame is final. Repeating the call with more files replaces others only.
package struct MappedSymbolication {
    private let scripts: ScriptFrames
    private let classes: ClassFrames
    private let mapping: String?
    private let file: (DebugID) -> SymbolSource?

    /// A report, and the names of files that could not be read. Frames that need them are missing a file.
    package struct Outcome: Sendable {
        package var report: CrashReport
        package var unreadable: Set<String> = []
    }

    /// - Parameter file: Returns the stored file of a debug ID.
    package static func of(
        _ report: CrashReport, with symbolizer: Symbolizer, file: @escaping (DebugID) -> SymbolSource?
    ) throws(SymbolizerError) -> Outcome {
        try MappedSymbolication(report, file).apply(to: report, symbolizer)
    }

    private init(_ report: CrashReport, _ file: @escaping (DebugID) -> SymbolSource?) {
        (scripts, classes) = (ScriptFrames(report), ClassFrames(report))
        self.file = file
        mapping = classes.ids.lazy.compactMap(file).first { $0.format == .classMapping }?.file
    }

    private func apply(to report: CrashReport, _ symbolizer: Symbolizer) throws(SymbolizerError) -> Outcome {
        var stacks = report.stacks
        let questions = stacks.map { $0.map(question) }
        let types = report.exceptions.map(question)
        let results = try symbolizer.mappedPlaces(Set(questions.joined().compactMap { $0 } + types.compactMap { $0 }))
        for place in stacks.indices { stacks[place] = frames(stacks[place], questions[place], results) }
        var report = report
        report.stacks = stacks
        for (place, question) in types.enumerated() {
            if let name = question.flatMap({ results[$0]?.frames.first?.className }) { report.name(exception: place, name) }
        }
        return Outcome(report: report, unreadable: Set(results.filter { $0.value.damage != nil }.map(\.key.file)))
    }

    // MARK: Questions

    private func question(_ frame: StackFrame) -> MappedQuestion? {
        if scripts.contains(frame) {
            guard let source = scripts.ids(of: frame).lazy.compactMap(file).first(where: { $0.format == .sourceMap }) else { return nil }
            return .script(map: source.file, code: source.code, line: frame.line ?? 0, column: frame.column ?? 0, function: frame.function)
        }
        guard let mapping, classes.contains(frame) else { return nil }
        return .method(mapping: mapping, className: frame.module ?? "", method: frame.function ?? "", line: frame.line)
    }

    private func question(_ exception: CrashException) -> MappedQuestion? {
        guard let mapping, let type = exception.type, !type.isEmpty else { return nil }
        return .className(mapping: mapping, exception.module.map { $0.isEmpty ? type : "\($0).\(type)" } ?? type)
    }

    // MARK: Answers

    private func frames(_ stack: [StackFrame], _ questions: [MappedQuestion?], _ results: [MappedQuestion: MappedAnswer]) -> [StackFrame] {
        let answers = questions.map { $0.flatMap { results[$0] } }
        let places = answers.map { $0?.frames ?? [] }
        let marksApp = stack.contains { $0.inApp == true }
        var room = max(0, CrashLimits.threadFrames - stack.count)
        // If not all inlined frames fit, those closest to the crash are kept.
        return stack.indices.reversed().map { index -> [StackFrame] in
            let frame = stack[index]
            guard let innermost = places[index].first else { return [unresolved(frame, isAsked: questions[index] != nil, answers[index])] }
            if scripts.contains(frame) { return [frame.script(at: innermost, calledAs: index > 0 ? places[index - 1].first?.name : nil)] }
            let kept = places[index].prefix(room + 1)
            room -= kept.count - 1
            return kept.reversed().enumerated().map { frame.method($1, isInline: $0 > 0, marksApp: marksApp) }
        }.reversed().flatMap { $0 }
    }

    /// A frame is missing a file if none is stored under its IDs or the stored one cannot be read. A file of another format counts as read.
    private func unresolved(_ frame: StackFrame, isAsked: Bool, _ answer: MappedAnswer?) -> StackFrame {
        let isScript = scripts.contains(frame)
        guard isScript || classes.contains(frame) && frame.inApp != false else { return frame }
        let ids = isScript ? scripts.ids(of: frame) : classes.ids
        var frame = frame
        if answer?.damage == nil, isAsked || ids.contains(where: { file($0) != nil }) {
            frame.symbolication = .unknown
        } else if !isScript || scripts.awaitedID(of: frame) != nil {
            frame.symbolication = .missing
        }
        return frame
    }
}

extension StackFrame {
    /// - Parameter name: The name in the caller's source.
    fileprivate func script(at place: MappedPlace, calledAs name: String?) -> StackFrame {
        var frame = self
        let generated = function ?? ""
        let short = generated.utf8.reversed().prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") }
        // A minifier chose a short name; it is no more than a letter of one build.
        let original = place.function ?? (short.count <= 2 && !generated.isEmpty ? name : generated.isEmpty ? nil : generated)
        frame.function = original.map { String($0.prefix(CrashLimits.nameCharacters)) }
        frame.rawFunction = generated.isEmpty || original == generated ? rawFunction : generated
        let source = String((place.file ?? "").prefix(CrashLimits.nameCharacters))
        (frame.absolutePath, frame.file, frame.module) = (source, SourcePath.short(source), nil)
        (frame.line, frame.column) = (place.line, place.column)
        if place.text != nil { (frame.preContext, frame.contextLine, frame.postContext) = (place.before, place.text, place.after) }
        if place.isIgnored || frame.isOfLibraryScript { frame.inApp = false }
        frame.symbolication = .found
        return frame
    }

    fileprivate func method(_ place: MappedPlace, isInline: Bool, marksApp: Bool) -> StackFrame {
        var frame = self
        if let className = place.className { frame.module = String(className.prefix(CrashLimits.nameCharacters)) }
        if let method = place.function {
            frame.function = String(method.prefix(CrashLimits.nameCharacters))
            if let function, function != frame.function { frame.rawFunction = function }
        }
        if let file = place.file { (frame.file, frame.absolutePath) = (String(file.prefix(CrashLimits.nameCharacters)), nil) }
        frame.line = place.line ?? frame.line
        // SDKs mark frames by their obfuscated names, and leave the unknown ones open.
        if inApp == nil, marksApp { frame.inApp = !frame.isOfLibraryClass }
        if isInline, frame.isOfLibraryClass { frame.inApp = false }
        frame.isInline = isInline
        frame.symbolication = .found
        return frame
    }
}

extension CrashReport {
    /// Replaces the class of an exception: `com.example.CartError` becomes the module `com.example` and the type `CartError`.
    fileprivate mutating func name(exception place: Int, _ className: String) {
        let old = exceptions[place].type
        let dot = className.lastIndex(of: ".")
        let name = String(dot.map { className[className.index(after: $0)...] } ?? className[...])
        let hadModule = exceptions[place].module?.isEmpty == false
        exceptions[place].type = String((hadModule ? name : className).prefix(CrashLimits.typeCharacters))
        if hadModule { exceptions[place].module = dot.map { String(className[..<$0].prefix(CrashLimits.nameCharacters)) } }
        if place == exceptions.count - 1, type == old { type = exceptions[place].type ?? type }
    }
}

/// The path of a source in a source map.
enum SourcePath {
    /// Returns the path without a bundler's scheme and leading folders.
    ///
    ///     webpack://shop/./src/cart.ts, ../../src/cart.ts   →  src/cart.ts
    static func short(_ source: String) -> String {
        var path = Array(source.utf8)[...]
        if let colon = path.prefix(32).firstIndex(of: UInt8(ascii: ":")), path[colon...].starts(with: "://".utf8) {
            path = path[(colon + 3)...].drop { $0 != UInt8(ascii: "/") }
        }
        while true {
            if path.first == UInt8(ascii: "/") {
                path = path.dropFirst()
            } else if path.starts(with: "./".utf8) {
                path = path.dropFirst(2)
            } else if path.starts(with: "../".utf8) {
                path = path.dropFirst(3)
            } else {
                break
            }
        }
        return path.isEmpty ? source : String(decoding: path, as: UTF8.self)
    }
}
