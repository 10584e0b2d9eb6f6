// SPDX-License-Identifier: Apache-2.0

import Crashes

/// The first line of Breakpad's text: `MODULE system architecture id name`.
enum BreakpadHeader {
    /// `MODU`
    static let magic: UInt32 = 0x4d4f_4455
    private static let longest = 4_096

    static func read(_ file: inout FileBytes) throws(SymbolFileError) -> SymbolObject {
        let start = try file.fields(at: 0, count: UInt64(min(file.count, longest))).bytes
        guard let end = start.firstIndex(of: 0x0a) else { throw .damaged("its first line does not end") }
        let words = String(decoding: start[..<end], as: UTF8.self).split(separator: " ", maxSplits: 4)
        guard words.first == "MODULE" else { throw .unknownFormat }
        guard words.count >= 4, words[2].utf8.count <= 32 else { throw .withoutID(.breakpad) }
        guard let id = DebugID(String(words[3])) else { throw .withoutID(.breakpad) }
        // The records are read on lookup only.
        return SymbolObject(debugID: id, architecture: String(words[2]), hasDebugInfo: true)
    }
}
