// SPDX-License-Identifier: Apache-2.0

import JSON

/// The key that stands in the body of a Segment SDK's request: `{"batch": […], "writeKey": "KEY"}`, before or behind the batch.
package enum SegmentKey {
    package static func find(in body: [UInt8]) -> String? {
        var scan = JSONKeyScan(body)
        return scan.text(scan.places(of: ["writeKey"], in: scan.root)[0])
    }
}
