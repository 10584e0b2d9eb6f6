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
    private var indexes = 0

    mutating func contents(_ name: String, at path: String) -> Contents {
        if let known = contents[name] { return known }
        let new = KnownFiles.read(path)
        if case .breakpad(let index) = new { indexes += index.bytes }
        if contents.count >= Self.files || indexes > Self.indexBytes { forget(except: new) }
        contents[name] = new
        return new
    }

    private mutating func forget(except new: Contents) {
        contents = [:]
        indexes = 0
        if case .breakpad(let index) = new { indexes = index.bytes }
    }

    /// A file that was there when it was brought and cannot be read now knows nothing; the next start looks again.
    private static func read(_ path: String) -> Contents {
        do throws(SymbolFileProblem) {
            let file = try SymbolFile.inspect(path)
            return file.format == .breakpad ? .breakpad(try BreakpadIndex(ByteSource(path: path))) : .dwarf(file.objects)
        } catch {
            return .useless
        }
    }
}
