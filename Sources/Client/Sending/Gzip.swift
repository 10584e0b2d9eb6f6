// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// Returns a gzip member; `nil` if memory is short, and the body is then sent uncompressed.
func gzip(_ bytes: [UInt8]) -> Data? {
    let room = csignalbox_gzip_bound(bytes.count)
    let small = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        count = bytes.withUnsafeBufferPointer { csignalbox_gzip($0.baseAddress, $0.count, buffer.baseAddress, room) }
    }
    return small.isEmpty ? nil : Data(small)
}
