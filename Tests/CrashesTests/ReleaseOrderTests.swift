// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

struct ReleaseOrderTests {
    @Test(arguments: [
        ["1.9", "1.10", "2.0-alpha", "2.0-alpha.1", "2.0-alpha.beta", "2.0-beta.2", "2.0-beta.11", "2.0-rc.1", "2.0", "2.0.1", "v3", "10.0"],
        ["1.4a1", "1.4b2", "1.4b10", "1.4rc1", "1.4", "1.4.0.1"],
        ["5.1 (620)", "5.1 (1000)", "5.1.0+1001", "5.2 (1)"],
        ["20250101.1", "20261121.1", "99999999999999999999999.1", "100000000000000000000000.0"],
    ]) func `versions have the expected order`(sorted: [String]) {
        for (i, a) in sorted.enumerated() {
            for (j, b) in sorted.enumerated() { #expect(ReleaseOrder.isOlder(Release(a), than: Release(b)) == (i < j), "\(a) and \(b)") }
        }
    }

    @Test(arguments: [("1.2", "1.2.0"), ("v1.2", "1.2"), ("1.2-RC.1", "1.2-rc.1"), ("1.2", "1.2 (7)"), ("", "1.0"), ("1.0", "main")])
    func `other spellings of a version are equal to it`(a: String, b: String) {
        #expect(!ReleaseOrder.isOlder(Release(a), than: Release(b)) && !ReleaseOrder.isOlder(Release(b), than: Release(a)))
    }

    @Test func `the same version is ordered by its build`() {
        #expect(ReleaseOrder.isOlder(Release("1.2", build: "99"), than: Release("1.2.0", build: "100")))
        #expect(!ReleaseOrder.isOlder(Release("1.2", build: "100"), than: Release("1.2", build: "100")))
        #expect(!ReleaseOrder.isOlder(Release("1.3", build: "1"), than: Release("1.2", build: "100")))
        #expect(ReleaseOrder.isOlder(Release("nightly", build: "9"), than: Release("nightly", build: "10")))
        for build in [nil, "abc"] {
            #expect(!ReleaseOrder.isOlder(Release("1.2", build: build), than: Release("1.2", build: "100")))
            #expect(!ReleaseOrder.isOlder(Release("1.2", build: "100"), than: Release("1.2", build: build)))
        }
    }

    @Test(arguments: ["4f2a91c", "1a2b3c4", "main"])
    func `other names are ordered by when they were first seen`(name: String) {
        let early = Release(name, firstSeen: Timestamp(milliseconds: 1))
        let late = Release("0ddba11", firstSeen: Timestamp(milliseconds: 2))
        #expect(ReleaseOrder.isOlder(early, than: late) && !ReleaseOrder.isOlder(late, than: early))
        #expect(!ReleaseOrder.isOlder(Release(name), than: late))
    }
}
