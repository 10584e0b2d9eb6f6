// SPDX-License-Identifier: Apache-2.0

import JSON

/// The write key in the body of a Segment request, before or after the batch: `{"batch": […], "writeKey": "KEY"}`.
package enum SegmentKey {
    package static func find(in body: [UInt8]) -> String? {
        var scan = JSONKeyScan(body)
        return scan.text(scan.places(of: ["writeKey"], in: scan.root)[0])
    }
}
