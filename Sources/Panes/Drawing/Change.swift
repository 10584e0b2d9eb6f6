// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The relative change against the previous period; nil if that was zero.
struct Change: Equatable, Sendable {
    /// Arrow and percentage: `▲ 12 %`.
    let text: String
    let style: Style

    init?(_ now: Double, before: Double, moreIsGood: Bool = true) {
        guard now.isFinite, before.isFinite, before > 0 else { return nil }
        let percent = ((now - before) / before * 100).rounded()
        guard percent != 0 else {
            (text, style) = ("=", Theme.faint)
            return
        }
        text = "\(percent > 0 ? "▲" : "▼") \(Numbers.short(abs(percent))) %"
        style = (percent > 0) == moreIsGood ? Theme.good : Theme.warning
    }
}
