// SPDX-License-Identifier: Apache-2.0

/// Symbol files that were looked into lately, so that a report does not begin anew with each frame.
struct KnownFiles {
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
        do throws(SymbolFileProblem) {
            let new = try KnownFiles.read(path)
            keep(new, as: name)
            return new
        } catch {
            // What cannot be read now may be read another time; what is of no use stays so.
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

    private static func read(_ path: String) throws(SymbolFileProblem) -> Contents {
        let file = try SymbolFile.inspect(path)
        return file.format == .breakpad ? .breakpad(try BreakpadIndex(ByteSource(path: path))) : .dwarf(file.objects)
    }
}
