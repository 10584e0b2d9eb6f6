// SPDX-License-Identifier: Apache-2.0

/// Rule 1: the kind, the fault, and the frame in the app that is nearest to it.
enum FrameRule {
    static func parts(of report: CrashReport) -> GroupingParts {
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
        return GroupingParts(hash: hash.bytes, variant: variant(stack, hash), reason: reason, culprit: place.culprit)
    }

    /// An exception that another one led to: what began it tells apart what is shown alike.
    private static func addCause(_ report: CrashReport, to hash: inout StableHash) {
        guard report.exceptions.count > 1, let cause = report.exceptions.first else { return }
        Fault.add(cause, type: cause.type ?? "", to: &hash)
        CrashPlace(StackView(cause.frames, images: report.images)).add(to: &hash)
    }

    /// Of the whole stack, without what nobody can name.
    private static func variant(_ stack: StackView, _ hash: StableHash) -> [UInt8] {
        var variant = hash
        for frame in stack.frames where frame.isNamed { variant.add(part: stack.text(frame)) }
        return variant.bytes
    }
}
