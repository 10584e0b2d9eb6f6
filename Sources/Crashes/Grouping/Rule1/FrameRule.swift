// SPDX-License-Identifier: Apache-2.0

/// Rule 1: the kind, the fault and the nearest frame of the app.
///
///     fatal, EXC_BAD_ACCESS, [abort, Cart.checkout, main]
///       → hash(fatal, bad access, "Cart.checkout")
///         reason "top frame in the app: Cart.checkout"
///     nonfatal, Error, "user 17 not found", no frames
///       → hash(nonfatal, Error, "user <n> not found")
///         reason "message: user <n> not found"
enum FrameRule {
    static func parts(of report: CrashReport) -> GroupingResult {
        let frames = report.crashStack
        let stack = StackView(frames, images: report.images)
        let place = CrashPlace(stack)
        var hash = StableHash()
        hash.add(UInt8(report.kind.rawValue))
        Fault.add(report.exceptions.last, type: report.exceptions.last?.type ?? report.type, to: &hash)
        place.add(to: &hash)
        var reason = place.reason
        if place.frames.isEmpty {
            let pattern = MessagePattern.of(report.reason ?? report.exceptions.last?.value ?? "")
            hash.add(part: pattern)
            hash.add(part: FrameText.lastPart(frames.last?.package ?? ""))
            if !pattern.isEmpty { reason = "message: \(String(decoding: pattern.prefix(200), as: UTF8.self))" }
        }
        addCause(report, to: &hash)
        return GroupingResult(hash: hash.bytes, stackHash: stack.stackHash(hash), reason: reason, culprit: place.culprit)
    }

    /// Adds the root cause of a chained exception. It distinguishes reports whose outermost exception is the same.
    private static func addCause(_ report: CrashReport, to hash: inout StableHash) {
        guard report.exceptions.count > 1, let cause = report.exceptions.first else { return }
        Fault.add(cause, type: cause.type ?? "", to: &hash)
        CrashPlace(StackView(cause.frames, images: report.images)).add(to: &hash)
    }
}
