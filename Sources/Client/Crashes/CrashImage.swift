// SPDX-License-Identifier: Apache-2.0

import CSignalbox

extension CrashFile.Image {
    #if canImport(Darwin)
        private static let type = "macho"
    #else
        private static let type = "elf"
    #endif

    private static let systemPaths = ["/usr/", "/lib/", "/lib64/", "/System/", "/Library/Apple/", "/apex/", "/system/", "/vendor/"]
    private static let runtimes = ["libswift", "libFoundation", "lib_Foundation", "libdispatch.", "libBlocksRuntime.", "libc++", "linux-vdso"]

    private var base: String { path.split(separator: "/").last.map(String.init) ?? path }
    private var isOfTheSystem: Bool { CrashFile.Image.systemPaths.contains { path.hasPrefix($0) } }

    /// The path of a system binary, or the file name of an app binary, whose path could identify the user.
    var name: String { isOfTheSystem ? path : base }

    /// Whether the image belongs to the app; `nil` if unknown.
    var isOfTheApp: Bool? {
        if facts.is_main != 0 { return true }
        return isOfTheSystem || CrashFile.Image.runtimes.contains { base.hasPrefix($0) } ? false : nil
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.field("type", CrashFile.Image.type)
            json.field("debug_id", debugID)
            json.field("image_addr", hexadecimal(facts.address))
            json.field("image_size", hexadecimal(facts.size))
            json.field("code_file", name)
        }
    }

    /// The debug ID in Breakpad's form. A Mach-O UUID is used as is. Of an ELF build ID the first 16 bytes are used, with the first
    /// three groups byte-swapped: `01020304 0506 0708 …` becomes `04030201 0605 0807 …`.
    private var debugID: String? {
        var id = id
        guard !id.isEmpty else { return nil }
        #if !canImport(Darwin)
            id += [UInt8](repeating: 0, count: max(0, 16 - id.count))
            id = id[0..<4].reversed() + id[4..<6].reversed() + id[6..<8].reversed() + id[8..<16]
        #endif
        return id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
