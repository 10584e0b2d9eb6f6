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

    @Test func `one error in eight browsers is one issue for each folder of its page`() throws {
        let browsers = try EventSamples.all().filter { $0.name.hasPrefix("javascript-xbrowser") }
        let folders = browsers.map { $0.report.exceptions.last?.frames.last?.file?.split(separator: "/").dropLast().last }
        #expect(browsers.count == 8 && Set(folders).count == 3)
        #expect(Set(browsers.map { GroupingRule.current.group($0.report).hash }).count == 3)
    }

    @Test func `few reports of different programs share a group`() throws {
        let groups = Dictionary(grouping: try EventSamples.all()) { GroupingRule.current.group($0.report).hash }
        #expect(groups.count > 100)
    }
}
