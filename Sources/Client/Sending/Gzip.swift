// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// One gzip member; nil where the machine has no memory for it, and then things are sent as they are.
func gzip(_ bytes: [UInt8]) -> Data? {
    let room = csignalbox_gzip_bound(bytes.count)
    let small = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        count = bytes.withUnsafeBufferPointer { csignalbox_gzip($0.baseAddress, $0.count, buffer.baseAddress, room) }
    }
    return small.isEmpty ? nil : Data(small)
}
