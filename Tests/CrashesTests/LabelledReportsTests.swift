// SPDX-License-Identifier: Apache-2.0

import Crashes
import Testing

struct LabelledReportsTests {
    @Test func `few groups are split or merged wrongly`() throws {
        let reports = try LabelledReports.all()
        let quality = GroupingQuality(reports.map { ($0.name, $0.label, GroupingRule.current.group($0.report).hash) })
        print("labelled reports: \(reports.count) of \(Set(reports.map(\.label)).count) groups; \(quality)")
        #expect(reports.count >= 60 && Set(reports.map(\.label)).count >= 20)
        #expect(quality.split.count * 20 <= quality.samePairs)
        #expect(quality.merged.count * 50 <= quality.otherPairs)
    }
}
