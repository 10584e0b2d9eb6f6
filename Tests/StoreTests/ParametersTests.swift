// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform
import AcrossStores
import TestSupport
import Testing

@Suite struct ParametersTests {
    @Test(arguments: [2, 100, 2_047, 2_048, 2_049, 100_000])
    func `parameters of any length are returned byte for byte`(length: Int) async throws {
        let params = #"{"text": "\#(String(repeating: "word ", count: length / 5))"}"#
        try await withStore { store in
            var request = SubmissionBuilder(store: store, received: WallClock.system.now())
            request.add("a", id: "1", params: params)
            _ = try await store.events.submit(request.submission())
            let page = try await store.events.events(app: AppID(rawValue: 1), after: 0, from: nil, to: nil, limit: 10)
            #expect(page.events.map { String(decoding: $0.params, as: UTF8.self) } == [params])
        }
    }
}
