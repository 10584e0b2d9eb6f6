// SPDX-License-Identifier: Apache-2.0

/// Rule 2: the kind, the fault, the site in the app, and those of the root cause. It reads names as the SDK of each language sends them.
///
///     fatal, EXC_BAD_ACCESS, [abort, Cart.checkout, main]
///       → hash(fatal, bad access, "Cart.checkout")
///         reason "top frame in the app: Cart.checkout"
///     nonfatal, KeyError, [shop.views index]
///       → hash(nonfatal, KeyError, "shop.views:index")
///     nonfatal, Error, "no user 'ana'", no frames
///       → hash(nonfatal, Error, "no user <*>")
///         reason "message: no user <*>"
enum SiteRule {
    static func parts(of report: CrashReport) -> GroupingResult {
        let (frames, languages) = (report.crashStack, Language.Stated(report))
        let images = images(of: report, frames)
        let stack = CodeStack(frames, images, languages)
        let site = CrashSite(stack)
        var hash = StableHash()
        hash.add(UInt8(report.kind.rawValue))
        let message = report.messageTemplate ?? report.reason ?? report.exceptions.last?.value ?? ""
        let type = report.exceptions.last?.type ?? report.type
        Fault.add(report.exceptions.last, type: FaultText.isOverflow(type, message) ? "EXCEPTION_STACK_OVERFLOW" : type, to: &hash)
        site.add(to: &hash)
        if !site.frames.isEmpty, let state = FaultText.databaseState(of: message) { hash.add(part: state) }
        var reason = site.reason
        if site.frames.isEmpty || isMessage(report) || needsMessage(by: report, frames) {
            let pattern = report.messageTemplate.map { Array($0.utf8) } ?? MessageTemplate.of(message)
            if isPanic(report), !site.frames.isEmpty {
                hash.add(part: pattern.prefix { $0 != UInt8(ascii: ":") })
                if let error = FaultText.unwrappedError(in: message) { hash.add(part: error) }
            } else {
                hash.add(part: pattern[...])
            }
            if site.frames.isEmpty { hash.add(part: FrameText.lastPart(frames.last?.package ?? "")) }
            if site.frames.isEmpty, !pattern.isEmpty { reason = "message: \(String(decoding: pattern.prefix(200), as: UTF8.self))" }
        }
        addCause(report, images, languages, to: &hash)
        return GroupingResult(hash: hash.bytes, stackHash: stack.stackHash(hash), reason: reason, culprit: site.culprit.map { culprit($0, site) })
    }

    /// Adds the source file to a native function, whose name does not contain it: `Cart.checkout (Cart.swift)`.
    private static func culprit(_ name: String, _ site: CrashSite) -> String {
        guard let file = site.culpritFile, !name.hasSuffix(file) else { return name }
        return "\(name) (\(file))"
    }

    /// Returns the report's images, by which only frames with an address are looked up.
    private static func images(of report: CrashReport, _ frames: [StackFrame]) -> ImageMap {
        func haveAddresses(_ frames: [StackFrame]) -> Bool { frames.indices.contains { frames[$0].address != nil } }
        let isNeeded = haveAddresses(frames) || report.exceptions.first.map { haveAddresses($0.frames) } == true
        return ImageMap(isNeeded ? report.images : [])
    }

    /// Whether the report is a logged message. A stack then only shows where it was logged.
    private static func isMessage(_ report: CrashReport) -> Bool {
        report.exceptions.isEmpty && (report.type == "message" || report.messageTemplate != nil)
    }

    /// Whether only the message tells faults in one function apart: a panic of Rust has no type, and a handler of React Native has one name in
    /// all screens.
    private static func needsMessage(by report: CrashReport, _ frames: [StackFrame]) -> Bool {
        isPanic(report) || frames.last.map { ScriptFunction.isBundle($0) && ScriptFunction.isHandler($0) } == true
    }

    /// Whether Rust panicked. The part of the message before its first colon is the check that failed; data may follow.
    private static func isPanic(_ report: CrashReport) -> Bool { report.exceptions.last?.type == "panic" }

    /// Adds the root cause of a chained exception. It distinguishes reports whose outermost exception is the same.
    private static func addCause(_ report: CrashReport, _ images: ImageMap, _ languages: Language.Stated, to hash: inout StableHash) {
        guard report.exceptions.count > 1, let cause = report.exceptions.first else { return }
        Fault.add(cause, type: cause.type ?? "", to: &hash)
        CrashSite(CodeStack(cause.frames, images, languages)).add(to: &hash)
    }
}
