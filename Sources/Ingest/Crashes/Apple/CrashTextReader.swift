// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Platform

/// Decodes `.crash` reports: plain text with sections of facts, threads and images.
///
///     Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
///     Thread 0 Crashed:
///     0   Shop    0x0000000102f04a1c Cart.checkout() + 28 (Cart.swift:12)
///     Binary Images:
///     0x102f00000 - 0x102f0bfff +Shop arm64 (1.0 - 1) <c0ffee…> /private/var/…/Shop
struct CrashTextReader {
    private enum Section {
        case facts, notes, backtrace, images, unread
        case thread(Int)
    }

    private var crash = AppleCrash()
    private var facts: [String: String] = [:]
    private var section = Section.facts
    private var stacks: [Int: [CrashLine.Frame]] = [:]
    private var backtrace: [CrashLine.Frame] = []
    private var names: [Int: String] = [:]
    private var crashed: Int?
    private var order: [Int] = []
    /// The threads that are in `order`.
    private var known: Set<Int> = []
    private var framesLeft = CrashLimits.framesPerRequest
    private static let notesLimit = 50
    private static let factsLimit = 100
    private static let factLinesLimit = 1_000
    private var factLines = 0

    /// Returns nil for a text without threads.
    static func crash(_ text: Substring) throws(Refusal) -> AppleCrash? {
        var reader = CrashTextReader()
        var rest = text.utf8
        for _ in 0..<CrashLimits.textLines {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            reader.read(CrashLine(Substring(rest[..<(end ?? rest.endIndex)])))
            guard let end else { return reader.order.isEmpty ? nil : reader.finished() }
            rest = rest[rest.index(after: end)...]
        }
        throw Refusal(
            .tooLarge, "The report has more than \(CrashLimits.textLines) lines.",
            hint: "Send the file as the system wrote it, one report per request.")
    }

    private mutating func read(_ line: CrashLine) {
        if begins(line) { return }
        if line.isBlank { return section = .facts }
        switch section {
        case .facts: readFact(line)
        case .notes: if crash.notes.count < CrashTextReader.notesLimit { crash.notes.append(line.text) }
        case .backtrace where framesLeft == 0: break
        case .backtrace: backtrace += take(line.frame.map { [$0] } ?? (backtrace.isEmpty ? line.addresses : []))
        case .thread(let number): if framesLeft > 0, let frame = line.frame { stacks[number, default: []] += take([frame]) }
        case .images: if crash.images.count < CrashLimits.images, let image = line.image { crash.images.append(image) }
        case .unread: break
        }
    }

    private mutating func take(_ frames: [CrashLine.Frame]) -> [CrashLine.Frame] {
        guard framesLeft >= frames.count else { return [] }
        framesLeft -= frames.count
        return frames
    }

    /// Whether the line is a section heading.
    private mutating func begins(_ line: CrashLine) -> Bool {
        if line.starts("Thread "), let heading = line.threadHeading {
            begin(heading)
        } else if line.starts("Application Specific Information:") {
            section = .notes
            if let rest = line.fact?.value, !rest.isEmpty { crash.notes.append(rest) }
        } else if line.starts("Last Exception Backtrace:") || line.starts("Application Specific Backtrace") {
            section = backtrace.isEmpty ? .backtrace : .unread
        } else if line.starts("Binary Images:") {
            section = .images
        } else {
            return false
        }
        return true
    }

    private mutating func begin(_ heading: CrashLine.ThreadHeading) {
        switch heading.kind {
        case .state: section = .unread
        case .name:
            names[heading.number] = heading.name
            section = .facts
        case .stack(let hasCrashed):
            if hasCrashed { crashed = heading.number }
            if let name = heading.name { names[heading.number] = name }
            if known.insert(heading.number).inserted {
                if order.count == CrashLimits.threads {
                    // The crashed thread replaces the last of the others.
                    guard hasCrashed else {
                        known.remove(heading.number)
                        return section = .unread
                    }
                    let last = order.removeLast()
                    known.remove(last)
                    stacks[last] = nil
                }
                order.append(heading.number)
            }
            section = .thread(heading.number)
        }
    }

    private mutating func readFact(_ line: CrashLine) {
        guard facts.count < CrashTextReader.factsLimit, factLines < CrashTextReader.factLinesLimit else { return }
        factLines += 1
        guard let (name, value) = line.fact, !value.isEmpty, facts[name] == nil else { return }
        facts[name] = value
    }
}

// MARK: - Results of lines

extension CrashTextReader {
    private mutating func finished() -> AppleCrash {
        readOrigin()
        readException()
        placeFrames()
        return crash
    }

    private mutating func readOrigin() {
        crash.incident = facts["Incident Identifier"]
        crash.time = facts["Date/Time"].flatMap { Timestamp(apple: $0) }
        crash.reporter = facts["CrashReporter Key"] ?? facts["Anonymous UUID"]
        crash.bundle = facts["Identifier"]
        crash.system = facts["OS Version"].map { AppleSystem($0) } ?? AppleSystem()
        crash.model = facts["Hardware Model"]
        let version = facts["Version"].map { AppleVersion($0, isOuterFirst: crash.system.platform == "macos") }
        (crash.version, crash.build) = (version?.version, version?.build)
        if let architecture = facts["Code Type"].flatMap(CrashLine.architecture(ofCode:)) {
            for i in crash.images.indices where crash.images[i].architecture == nil { crash.images[i].architecture = architecture }
        }
    }

    private mutating func readException() {
        if let type = facts["Exception Type"]?.prefix(scalars: CrashLimits.typeCharacters) {
            let parts = type.split(separator: " ", maxSplits: 1).map(String.init)
            let inner = parts.dropFirst().first?.filter { $0 != "(" && $0 != ")" }.ifAny
            if let first = parts.first, first.hasPrefix("SIG") { crash.signal = first } else { crash.exception = parts.first }
            crash.signal = crash.signal ?? inner
        }
        crash.subtype = facts["Exception Subtype"] ?? facts["Exception Message"] ?? crash.signalCode(facts["Exception Codes"])
        crash.termination = facts["Termination Reason"] ?? facts["Termination Description"] ?? facts["Termination Signal"]
        let triggering = facts["Triggered by Thread"] ?? facts["Crashed Thread"]
        crashed = crashed ?? triggering.flatMap { $0[...].words(atMost: 2).first }.flatMap { Int($0) }
        crash.thrown = crash.notes.lazy.compactMap { ThrownText($0) }.first.map { ($0.name, $0.reason) }
    }

    private mutating func placeFrames() {
        let map = LoadedImages(crash.images)
        crash.backtrace = placed(backtrace, map)
        crash.threads = order.map { number in
            var thread = CrashThread()
            thread.id = number
            thread.name = names[number]
            thread.crashed = number == crashed
            thread.current = thread.crashed
            thread.frames = placed(stacks[number] ?? [], map)
            return thread
        }
    }

    /// Returns the frames oldest first. Apple lists the newest first.
    private mutating func placed(_ frames: [CrashLine.Frame], _ map: LoadedImages) -> [StackFrame] {
        let limit = CrashLimits.frames
        let kept = frames.count <= limit ? frames : Array(frames.prefix(limit - limit / 2)) + frames.suffix(limit / 2)
        if kept.count < frames.count, !crash.cuts.contains(where: { $0.field == "frames" }) {
            crash.cuts.append(CrashCut(reason: .tooManyEntries, field: "frames", message: "Has more than \(limit) entries; the middle was omitted."))
        }
        return kept.reversed().map { $0.placed(in: map) }
    }
}

extension AppleCrash {
    /// Returns the signal code that other reporters write there: `SEGV_MAPERR at 0x88`.
    fileprivate func signalCode(_ codes: String?) -> String? {
        codes.flatMap { $0.hasPrefix("0x") || $0.hasPrefix("#0") ? nil : $0 }
    }
}
