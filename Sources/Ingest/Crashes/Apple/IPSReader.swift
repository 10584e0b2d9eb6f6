// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

/// Decodes `.ips` reports: a line of JSON that describes the report, followed by a JSON document.
///
///     {"app_name":"Shop","bug_type":"309","incident_id":"…"}
///     {"exception":{"type":"EXC_BAD_ACCESS"},"threads":[…],"usedImages":[…]}
struct IPSReader {
    private let header: JSONTape
    private let tape: JSONTape
    private var parts: CrashReader
    private var images: [BinaryImage] = []
    /// Whether each image belongs to the app. Computed once per image, not per frame.
    private var areInApp: [Bool?] = []

    init(header: JSONTape, document: JSONTape) {
        self.header = header
        tape = document
        parts = CrashReader(document)
    }

    /// Returns nil for a document without threads, which is another kind of report.
    mutating func crash() -> AppleCrash? {
        guard let threads = tape.value("threads", of: 0), tape[threads].kind == .array else { return nil }
        var crash = AppleCrash()
        readOrigin(&crash)
        readException(&crash)
        images = tape.value("usedImages", of: 0).map { list in tape.elements(of: list).prefix(CrashLimits.images).map { image($0) } } ?? []
        crash.images = images
        areInApp = images.map { $0.codeFile.map(AppleImages.isInApp) }
        let faulting = parts.integer("faultingThread", of: 0)
        crash.backtrace = tape.value("lastExceptionBacktrace", of: 0).map { frames($0) } ?? []
        crash.threads = tape.elements(of: threads).enumerated().prefix(CrashLimits.threads).map { thread($1, number: $0, faulting) }
        crash.cuts = parts.takeCuts()
        return crash
    }

    private mutating func readOrigin(_ crash: inout AppleCrash) {
        var head = CrashReader(header)
        let bundle = tape.value("bundleInfo", of: 0) ?? 0
        crash.incident = parts.text("incident", of: 0) ?? head.text("incident_id", of: 0)
        crash.time = (parts.text("captureTime", of: 0) ?? head.text("timestamp", of: 0)).flatMap { Timestamp(apple: $0) }
        crash.reporter = parts.text("crashReporterKey", of: 0)
        crash.bundle = parts.text("CFBundleIdentifier", of: bundle) ?? head.text("bundleID", of: 0)
        crash.version = parts.text("CFBundleShortVersionString", of: bundle) ?? head.text("app_version", of: 0)
        crash.build = parts.text("CFBundleVersion", of: bundle) ?? head.text("build_version", of: 0)
        crash.model = parts.text("modelCode", of: 0)
        let system = tape.value("osVersion", of: 0).flatMap { parts.text("train", of: $0) } ?? head.text("os_version", of: 0)
        crash.system = system.map { AppleSystem($0) } ?? AppleSystem()
        crash.system.platform = head.integer("platform", of: 0).flatMap { AppleSystem.platform($0) } ?? crash.system.platform
    }

    private mutating func readException(_ crash: inout AppleCrash) {
        if let exception = tape.value("exception", of: 0) {
            crash.exception = parts.text("type", of: exception, limit: CrashLimits.typeCharacters)
            crash.signal = parts.text("signal", of: exception, limit: CrashLimits.typeCharacters)
            crash.subtype = parts.text("subtype", of: exception)
        }
        if let termination = tape.value("termination", of: 0) {
            let indicator = parts.text("indicator", of: termination)
            let reasons = tape.value("reasons", of: termination).map { list in tape.elements(of: list).map { parts.text($0, "reasons") } } ?? []
            crash.termination = ([indicator].compactMap { $0 } + reasons).joined(separator: "\n").prefix(scalars: CrashLimits.reasonCharacters).ifAny
        }
        if let thrown = tape.value("exceptionReason", of: 0), let name = parts.text("name", of: thrown, limit: CrashLimits.typeCharacters) {
            crash.thrown = (name, parts.text("composed_message", of: thrown, limit: CrashLimits.reasonCharacters))
        }
        guard let information = tape.value("asi", of: 0) else { return }
        crash.notes = tape.keys(of: information).flatMap { tape.elements(of: tape[$0].next) }.compactMap { parts.text($0, "asi").ifAny }
    }

    private mutating func image(_ place: Int) -> BinaryImage {
        var image = BinaryImage()
        image.type = "macho"
        image.debugID = parts.text("uuid", of: place).flatMap { DebugID($0) }
        image.address = parts.address("base", of: place)
        image.size = parts.address("size", of: place)
        image.codeFile = parts.text("path", of: place) ?? parts.text("name", of: place)
        image.architecture = parts.text("arch", of: place, limit: CrashLimits.typeCharacters)
        return image
    }

    private mutating func thread(_ place: Int, number: Int, _ faulting: Int?) -> CrashThread {
        var thread = CrashThread()
        thread.id = number
        thread.name = parts.text("name", of: place) ?? parts.text("queue", of: place)
        thread.crashed = faulting.map { $0 == number } ?? (parts.flag("triggered", of: place) == true)
        thread.current = thread.crashed
        thread.frames = tape.value("frames", of: place).map { frames($0) } ?? []
        return thread
    }

    /// Returns the frames oldest first. Apple lists the newest first.
    private mutating func frames(_ list: Int) -> [StackFrame] {
        let places = parts.kept(Array(tape.elements(of: list)).reversed())
        return places.map { frame($0) }.filter { $0 != StackFrame() }
    }

    private mutating func frame(_ place: Int) -> StackFrame {
        var frame = StackFrame()
        let index = parts.integer("imageIndex", of: place) ?? -1
        let image = images.indices.contains(index) ? images[index] : nil
        let offset = parts.address("imageOffset", of: place)
        frame.imageAddress = image?.address
        frame.address = offset.map { (image?.address ?? 0) &+ $0 }
        frame.function = parts.text("symbol", of: place)
        frame.symbolAddress = frame.address.flatMap { address in parts.address("symbolLocation", of: place).map { address &- $0 } }
        frame.file = parts.text("sourceFile", of: place)
        frame.line = parts.integer("sourceLine", of: place)
        frame.isInline = parts.flag("inline", of: place) ?? false
        frame.package = image?.codeFile
        frame.inApp = images.indices.contains(index) ? areInApp[index] : nil
        return frame
    }
}
