// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// The input of a command.
enum InputFile {
    private static let limit = 1 << 20

    /// Reads a file, or standard input for `-`.
    static func read(_ name: String) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SmallFile.read(name == "-" ? "/dev/stdin" : name, limit: limit + 1)
        } catch {
            throw Failure("\(name) cannot be read: \(error.reason).", hint: "Check that it exists and that you may read it.")
        }
        guard bytes.count <= limit else {
            throw Failure("\(name) is larger than 1 MiB, the limit of a query.", hint: "Check the file name.")
        }
        return bytes
    }
}
