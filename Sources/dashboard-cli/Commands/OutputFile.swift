// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// The output file of a command.
enum OutputFile {
    /// Writes a temporary file and renames it; `-` is standard output.
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard path != "-" else { return try Console.write(bytes) }
        if File.isSpecial(path) { return try File(path, .create).write(bytes) }
        let temporary = "\(path).\(UInt32.random(in: 0...UInt32.max)).new"
        do throws(FileError) {
            let file = try File(temporary, .new)
            try file.write(bytes)
            try file.sync()
            try Folder.rename(temporary, to: path)
        } catch {
            try? Folder.remove(temporary)
            throw Failure(
                "«\(path)» cannot be written: \(SystemError(number: error.number).reason).",
                hint: "Check that the folder exists and that you may write to it.")
        }
    }
}
