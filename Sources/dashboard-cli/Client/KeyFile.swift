// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// A file whose first line is a key.
enum KeyFile {
    private static let limit = 64 << 10

    /// Warns on standard error if others can read the file.
    static func read(_ path: String) throws(Failure) -> Secret {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SmallFile.read(path, limit: limit)
        } catch {
            throw Failure("The key file \(path) cannot be read: \(error.reason).", hint: "Check its name and that you may read it.")
        }
        let line = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first ?? ""
        guard let key = line.split(whereSeparator: \.isWhitespace).first else {
            throw Failure("The first line of \(path) is not a key.", hint: "Write only the key into the file.")
        }
        if isOpen(path) { Console.complain("Other users can read the key in \(path). Run `chmod 600 \(path)`.", of: "dashboard-cli") }
        return Secret(String(key))
    }

    static func isOpen(_ path: String) -> Bool { (SmallFile.mode(path) ?? 0) & 0o044 != 0 }
}
