// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

extension Dashboard {
    /// Draws many sizes: each frame is filled, no line is too long and no control character of the data is printed.
    mutating func expectStandsEverySize(widthsBy step: Int, hiding secrets: [String] = []) {
        for width in Array(stride(from: 0, through: 130, by: step)) + [30, 31] {
            for height in [0, 3, 5, 6, 7, 9, 13, 20, 31] {
                _ = handle(.screen(.resized(Size(width, height))))
                let lines = DashboardView(self).frame().lines
                #expect(lines.count == height && lines.allSatisfy { $0.width <= width })
                #expect(lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
                #expect(!lines.contains { line in secrets.contains { line.contains($0) } })
            }
        }
    }
}
