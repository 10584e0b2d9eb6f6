// SPDX-License-Identifier: Apache-2.0

/// A mouse event at a column and row, counted from 0.
package struct Mouse: Hashable, Sendable {
    package enum Act: Hashable, Sendable {
        case press, release, wheelUp, wheelDown
    }

    package let act: Act
    package let x: Int
    package let y: Int

    package init(_ act: Act, _ x: Int, _ y: Int) {
        (self.act, self.x, self.y) = (act, x, y)
    }

    /// Parses a report of SGR 1006 without its introducer, such as `0;12;5` and the final `M` or `m`. Returns `nil` for unused events.
    init?(_ report: some StringProtocol, isRelease: Bool) {
        let numbers = report.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        // Shift, Alt and Ctrl are ignored.
        let act: Act? =
            switch numbers[0] & ~(4 | 8 | 16) {
            case 0: isRelease ? .release : .press
            case 64: .wheelUp
            case 65: .wheelDown
            default: nil
            }
        guard let act else { return nil }
        self.init(act, numbers[1] - 1, numbers[2] - 1)
    }
}
