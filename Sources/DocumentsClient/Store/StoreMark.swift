// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The place of a store's file, which is another one for a copy: the volume, the file's number in it, and the machine.
///
/// It may also change without a copy, as when volumes are numbered anew at a start of the device. A store then takes a new ID, and nothing else
/// happens.
struct StoreMark: Equatable {
    let text: String

    /// Returns nil for a store in memory.
    init?(_ path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let volume = attributes[.systemNumber] as? NSNumber, let file = attributes[.systemFileNumber] as? NSNumber
        else { return nil }
        text = "\(volume.uint64Value) \(file.uint64Value) \(StoreMark.machine)"
    }

    private static var machine: String {
        #if os(Linux)
            let id = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
            return id?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        #else
            return ""
        #endif
    }
}
