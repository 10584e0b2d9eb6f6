// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// The source lines and local variables of a frame, as lines below it.
///
///        40  for coupon in coupons {
///     >  41      total += coupons.first!.amount
///        42  }
///     count = 3
struct FrameDetails {
    struct Line {
        let text: String
        /// Whether it is the source line of the frame.
        let isCurrent: Bool
    }

    let lines: [Line]
    /// The number of source lines on each side, also in a small terminal, and of variables. Reports may have more.
    private static let (mostAround, fewAround, mostVariables) = (5, 2, 30)
    private static let lastLine = 9_999_999

    init(_ frame: CrashReport.Frame, isSmall: Bool = false) {
        lines = FrameDetails.source(frame, isSmall ? FrameDetails.fewAround : FrameDetails.mostAround) + FrameDetails.variables(frame)
    }

    private static func source(_ frame: CrashReport.Frame, _ around: Int) -> [Line] {
        guard let current = frame.contextLine else { return [] }
        let before = (frame.preContext ?? []).suffix(around)
        let after = (frame.postContext ?? []).prefix(around)
        let texts = before + [current] + after
        let place = frame.lineno.map { min(max(0, $0), lastLine) }
        let width = place.map { String($0 + after.count).count } ?? 0
        return texts.enumerated().map { index, text in
            let isCurrent = index == before.count
            let number = place.map { String($0 - before.count + index) } ?? ""
            let padded = String(repeating: " ", count: max(0, width - number.count)) + number
            // Cells show tabs as one character.
            return Line(text: "\(isCurrent ? ">" : " ") \(padded)  \(text.replacing("\t", with: "    "))", isCurrent: isCurrent)
        }
    }

    private static func variables(_ frame: CrashReport.Frame) -> [Line] {
        let all = (frame.vars ?? [:]).sorted { $0.key < $1.key }
        let shown = all.prefix(mostVariables).map { Line(text: "\($0.key) = \($0.value)", isCurrent: false) }
        return shown + (all.count > mostVariables ? [Line(text: "… \(all.count - mostVariables) more variables", isCurrent: false)] : [])
    }
}
