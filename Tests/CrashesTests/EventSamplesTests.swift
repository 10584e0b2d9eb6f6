// SPDX-License-Identifier: Apache-2.0

import Crashes
import Testing

@Suite(.enabled(if: EventSamples.folder != nil))
struct EventSamplesTests {
    @Test func `few labelled native reports are split or merged wrongly`() throws {
        let labelled = try EventSamples.all().filter { $0.name.hasPrefix("group_") }
        let quality = GroupingQuality(
            labelled.map { ($0.name, String($0.name.split(separator: "_")[1]), GroupingRule.current.group($0.report).hash) })
        print("event-samples: \(quality)")
        #expect(quality.samePairs == 8 && quality.otherPairs == 182)
        #expect(quality.split.count <= 2 && quality.merged.count <= 9)
    }

    @Test func `one error in eight browsers is one issue`() throws {
        let browsers = try EventSamples.all().filter { $0.name.hasPrefix("javascript-xbrowser") }
        #expect(browsers.count == 8 && Set(browsers.map { GroupingRule.current.group($0.report).hash }).count == 1)
    }

    @Test func `few reports of different programs share a group`() throws {
        let groups = Dictionary(grouping: try EventSamples.all()) { GroupingRule.current.group($0.report).hash }
        #expect(groups.count > 100)
    }
}
