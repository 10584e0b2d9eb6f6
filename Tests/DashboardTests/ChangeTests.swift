// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Panes
@testable import dashboard_cli

struct ChangeTests {
    @Test(arguments: [
        (112.0, 100.0, "▲ 12 %"), (97, 100, "▼ 3 %"), (100, 100, "="), (100.4, 100, "="), (99.6, 100, "="), (0, 7, "▼ 100 %"), (20, 1, "▲ 1,900 %"),
        (5e6, 1, "▲ 500M %"), (-5, 10, "▼ 150 %"),
    ])
    func `a change has an arrow and a rounded percentage`(now: Double, before: Double, text: String) {
        #expect(Change(now, before: before)?.text == text)
    }

    @Test func `a change from zero, a negative or a non-finite value is nil`() {
        for (now, before) in [(5.0, 0.0), (0, 0), (5, -1), (.nan, 5), (5, .infinity)] { #expect(Change(now, before: before) == nil) }
    }

    @Test func `an increase has the good style unless less is better`() {
        #expect(Change(2, before: 1)?.style == Theme.good && Change(1, before: 2)?.style == Theme.warning)
        #expect(Change(2, before: 1, moreIsGood: false)?.style == Theme.warning && Change(1, before: 2, moreIsGood: false)?.style == Theme.good)
        #expect(Change(1, before: 1)?.style == Theme.faint && Change(1, before: 1, moreIsGood: false)?.style == Theme.faint)
    }
}
