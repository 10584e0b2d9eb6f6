// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import Testing

struct DeliveryStateTests {
    @Test(arguments: DeliveryState.allCases) func `states are found by name`(state: DeliveryState) {
        #expect(DeliveryState(name: state.name) == state && state.name.allSatisfy(\.isLowercase))
    }

    @Test func `only states that can change are open`() {
        #expect(DeliveryState.allCases.filter(\.isOpen) == [.pending, .sending, .sent, .retrying])
        #expect(DeliveryState(name: "lost") == nil)
    }
}
