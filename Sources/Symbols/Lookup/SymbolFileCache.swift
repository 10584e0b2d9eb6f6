// SPDX-License-Identifier: Apache-2.0

/// A cache of recently indexed symbol files, so that not every frame of a report reads its file again.
struct SymbolFileCache {
    enum Contents {
        case dwarf([SymbolObject])
        case breakpad(BreakpadIndex)
        case useless
    }

    private static let files = 256
    private static let indexBytes = 128 << 20

    private var contents: [String: Contents] = [:]
    private var indexBytes = 0

    mutating func contents(_ name: String, at path: String) -> Contents {
        if let known = contents[name] { return known }
        do throws(SymbolFileError) {
            let new = try SymbolFileCache.read(path)
            keep(new, as: name)
            return new
        } catch {
            // An unreadable file may become readable; an invalid one stays invalid.
            if error != .unreadable { keep(.useless, as: name) }
            return .useless
        }
    }

    private mutating func keep(_ new: Contents, as name: String) {
        let bytes = if case .breakpad(let index) = new { index.bytes } else { 0 }
        if contents.count >= Self.files || indexBytes + bytes > Self.indexBytes {
            contents = [:]
            indexBytes = 0
        }
        contents[name] = new
        indexBytes += bytes
    }

    private static func read(_ path: String) throws(SymbolFileError) -> Contents {
        let file = try SymbolFile.inspect(path)
        switch file.format {
        case .breakpad: return .breakpad(try BreakpadIndex(ByteSource(path: path)))
        case .machO, .elf: return .dwarf(file.objects)
        // They have no addresses.
        case .sourceMap, .classMapping: return .useless
        }
    }
}
