// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

extension Dashboard {
    private static let heights = [0, 3, 5, 6, 7, 9, 13, 20, 31]

    /// Draws many sizes: each frame is filled, no line is too long and no control character of the data is printed.
    ///
    /// Every third height is drawn at a width, and the ones beside them at the next width: all of them at any three widths.
    mutating func expectStandsEverySize(widthsBy step: Int, hiding secrets: [String] = []) {
        for (number, width) in (Array(stride(from: 0, through: 130, by: step)) + [30, 31]).enumerated() {
            for height in stride(from: number % 3, to: Self.heights.count, by: 3).map({ Self.heights[$0] }) {
                _ = handle(.screen(.resized(Size(width, height))))
                let lines = DashboardView(self).frame().lines
                #expect(lines.count == height && lines.allSatisfy { $0.width <= width })
                #expect(!lines.contains { $0.unicodeScalars.contains(where: Self.isControl) })
                #expect(!lines.contains { line in secrets.contains { line.contains($0) } })
            }
        }
    }

    /// Whether a scalar is of the category Cc, whose members are fixed.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || 0x7f..<0xa0 ~= scalar.value }
}
