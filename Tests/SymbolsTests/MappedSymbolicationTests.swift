// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import TestSupport
import Testing

@testable import Symbols

/// Reports of transformed code, looked up by the real child process.
struct MappedSymbolicationTests {
    private static let id = DebugID(uuid: UUID128(high: 1, low: 2))
    private let temporary = TemporaryFolder()
    private let page = "https://shop.example/a.min.js"

    private func symbolizer() -> Symbolizer {
        Symbolizer(
            folder: temporary.path, program: nil, demangler: nil, mapped: MappedPlaces(.confined("resolve"), in: temporary.path)
        )
    }

    private func write(_ name: String, _ text: String) throws { try File(temporary.path + "/" + name, .create).write(Array(text.utf8)) }

    private func report(platform: String, _ frames: [StackFrame], image: String) -> CrashReport {
        var report = CrashReport(id: "a", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "Error")
        report.platform = platform
        var known = BinaryImage()
        (known.type, known.debugID, known.codeFile) = (image, Self.id, page)
        report.images = [known]
        var exception = CrashException()
        (exception.type, exception.frames) = ("Error", frames)
        report.exceptions = [exception]
        return report
    }

    private func script(_ function: String?, _ line: Int?, _ column: Int?, inApp: Bool? = nil) -> StackFrame {
        var frame = StackFrame()
        (frame.function, frame.file, frame.line, frame.column, frame.inApp) = (function, page, line, column, inApp)
        return frame
    }

    private func method(_ className: String?, _ function: String?, _ line: Int?, inApp: Bool? = nil) -> StackFrame {
        var frame = StackFrame()
        (frame.module, frame.function, frame.line, frame.inApp) = (className, function, line, inApp)
        return frame
    }

    private func frames(_ report: CrashReport, _ source: SymbolSource?) throws -> [StackFrame] {
        try MappedSymbolication.of(report, with: symbolizer()) { $0 == Self.id ? source : nil }.report.exceptions[0].frames
    }

    @Test func `a function is named by its declaration, else by its call`() throws {
        // `function a(){throw 0}b.c=function(){a()}` with names of the declaration and of the call.
        let code = "function a(){throw 0}b.c=function(){a()}"
        let map = mappings([[[0, 0, 0, 0], [9, 0, 0, 9, 0], [13, 0, 1, 2], [23, 0, 4, 0, 1], [36, 0, 5, 2, 0]]])
        try write("map", #"{"version":3,"sources":["src/cart.ts"],"names":["pay","checkout"],"mappings":"\#(map)"}"#)
        try write("code", code)
        let sent = report(platform: "javascript", [script("b.c", 1, 37), script("a", 1, 14)], image: "sourcemap")
        for code in ["code", nil] {
            let found = try frames(sent, SymbolSource(file: "map", format: .sourceMap, code: code))
            #expect(found.map(\.function) == [code == nil ? nil : "checkout", "pay"])
            #expect(found.map(\.file) == ["src/cart.ts", "src/cart.ts"] && found.map(\.line) == [6, 2] && found.map(\.column) == [3, 3])
            #expect(found.map(\.symbolication) == [.found, .found] && found[1].rawFunction == "a")
        }
    }

    @Test func `symbolication is idempotent, and frames without places stay`() throws {
        try write("map", #"{"version":3,"sources":["src/cart.ts"],"names":[],"mappings":"AAAA"}"#)
        var native = script("memcpy", 1, 1)
        native.address = 0x1000
        let kept = [
            script("a", nil, nil), script("a", 0, 1), script("a", 1, 0), script("a", -1, -1), script("a", 2, 1), script("a", .max, .max), native,
        ]
        let sent = report(platform: "javascript", kept + [script("a", 1, 1)], image: "sourcemap")
        let source = SymbolSource(file: "map", format: .sourceMap)
        let once = try MappedSymbolication.of(sent, with: symbolizer()) { $0 == Self.id ? source : nil }.report
        #expect(try MappedSymbolication.of(once, with: symbolizer()) { $0 == Self.id ? source : nil }.report == once)
        let found = once.exceptions[0].frames
        #expect(found.dropLast().map(\.function) == kept.map(\.function) && found.dropLast().map(\.file) == kept.map(\.file))
        #expect(found.map(\.symbolication) == [.none, .none, .none, .none, .unknown, .unknown, .none, .found])
    }

    @Test func `a file of another format is no reason to look a report up again`() throws {
        try write("map", #"{"version":3,"sources":["src/cart.ts"],"names":[],"mappings":"AAAA"}"#)
        for (platform, frame, image) in [("javascript", script("a", 1, 1), "sourcemap"), ("java", method("a.b", "c", 1), "proguard")] {
            let sent = report(platform: platform, [frame], image: image)
            #expect(try frames(sent, nil).map(\.symbolication) == [.missing])
            #expect(try frames(sent, SymbolSource(file: "map", format: .elf)).map(\.symbolication) == [.unknown])
        }
    }

    @Test func `a file that cannot be read is missing, and named`() throws {
        try write("broken", #"{"version":3,"sources":["src/cart.ts"],"names":[],"mappings":"!"}"#)
        for (platform, frame, image) in [("javascript", script("a", 1, 1), "sourcemap"), ("java", method("a.b", "c", 1), "proguard")] {
            let sent = report(platform: platform, [frame], image: image)
            for file in ["broken", "nowhere"] {
                let source = SymbolSource(file: file, format: image == "proguard" ? .classMapping : .sourceMap)
                let found = try MappedSymbolication.of(sent, with: symbolizer()) { $0 == Self.id ? source : nil }
                #expect(found.report.exceptions[0].frames.map(\.symbolication) == [.missing])
                #expect(found.unreadable == [file])
            }
        }
    }

    @Test func `code of libraries is not of the app`() throws {
        let map = mappings([[[0, 0, 0, 0], [5, 1, 0, 0], [9, 2, 0, 0]]])
        try write(
            "map",
            #"{"version":3,"sources":["webpack://s/./node_modules/x/i.js","src/a.ts","gen.js"],"ignoreList":[2],"names":[],"mappings":"\#(map)"}"#)
        let sent = report(platform: "javascript", [1, 6, 10].map { script("a", 1, $0, inApp: true) }, image: "sourcemap")
        #expect(try frames(sent, SymbolSource(file: "map", format: .sourceMap)).map(\.inApp) == [false, true, false])
    }

    @Test func `inlined methods are frames of their own, within the limit`() throws {
        let calls = (0..<60).map { "    1:1:void s.Item.m\($0)():\($0 + 7):\($0 + 7) -> a\n" }.joined()
        try write("mapping", "s.Cart -> a.b:\n\(calls)    1:1:void pay():99 -> a\ns.Error -> c:\n")
        let source = SymbolSource(file: "mapping", format: .classMapping)
        var sent = report(platform: "java", [method("x.Y", "z", 1), method("a.b", "a", 1)], image: "proguard")
        sent.exceptions[0].type = "c"
        sent.type = "c"
        let found = try MappedSymbolication.of(sent, with: symbolizer()) { $0 == Self.id ? source : nil }.report
        let frames = found.exceptions[0].frames
        #expect(frames.count == 62 && frames[1].function == "pay" && frames[1].line == 99 && frames[1].module == "s.Cart" && !frames[1].isInline)
        #expect(frames.last?.function == "m0" && frames.last?.line == 7 && frames.last?.module == "s.Item" && frames.last?.isInline == true)
        #expect(frames[0].symbolication == .unknown && found.type == "s.Error")
        let full = Array(repeating: method("a.b", "a", 1), count: CrashLimits.threadFrames - 1)
        let limited = try self.frames(report(platform: "java", full, image: "proguard"), source)
        #expect(limited.count == CrashLimits.threadFrames && limited.suffix(2).map(\.function) == ["m1", "m0"])
    }

    @Test func `a program that dies leaves frames unresolved`() throws {
        try write("map", #"{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}"#)
        let dead = Symbolizer(
            folder: temporary.path, program: nil, demangler: nil, mapped: MappedPlaces(ReaderCommand("/bin/false"), in: temporary.path))
        let sent = report(platform: "javascript", [script("a", 1, 1)], image: "sourcemap")
        #expect(throws: SymbolizerError.self) {
            try MappedSymbolication.of(sent, with: dead) { _ in SymbolSource(file: "map", format: .sourceMap) }
        }
    }
}
