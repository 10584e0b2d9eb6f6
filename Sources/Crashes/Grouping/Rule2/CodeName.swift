// SPDX-License-Identifier: Apache-2.0

/// A frame as a text that is the same in every build.
enum CodeName {
    /// Writes the frame's function, or else its file. Returns whether the text identifies one function.
    ///
    /// - Parameter function: The bytes of the frame's function.
    static func write(
        _ frame: StackFrame, _ function: ArraySlice<UInt8>, _ language: Language, _ paths: inout PathFacts, to out: inout [UInt8]
    ) -> Bool {
        guard FrameText.isName(function) || language != .native && frame.address == nil else { return false }
        switch language {
        case .native:
            writeNative(frame, function, to: &out)
            return true
        case .java: return JavaName.write(frame, to: &out)
        case .csharp: return CSharpName.write(frame, to: &out)
        case .go: return GoName.write(frame, to: &out)
        case .elixir: return ElixirName.write(frame, to: &out)
        case .python, .ruby, .php, .javascript, .node, .dart: return ScriptFunction.write(frame, function, language, &paths, to: &out)
        }
    }

    /// Returns a native name without the labels that `write` appends: `Cart.load(id:)` → `Cart.load`.
    static func withoutLabels(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard name.suffix(2).elementsEqual(":)".utf8), let open = name.lastIndex(of: UInt8(ascii: "(")) else { return name }
        return name[..<open]
    }

    /// Writes the simplified name. A C function has the shared library before it, since several may export one name.
    private static func writeNative(_ frame: StackFrame, _ function: ArraySlice<UInt8>, to out: inout [UInt8]) {
        let start = out.count
        NativeName.write(function, to: &out)
        writeLabels(of: function, to: &out)
        if let module = swiftModule(of: frame.rawFunction ?? ""), !out[start...].starts(with: module) {
            out.insert(contentsOf: module + [UInt8(ascii: ".")], at: start)
        }
        guard let package = frame.package, out[start...].allSatisfy(\.isWord), !FrameNoise.covers(out[start...], .system) else { return }
        let parts = FrameText.lastPart(package).split(separator: ".")
        guard parts.count > 1, libraryEndings.contains(parts[1]) else { return }
        out.insert(contentsOf: Array(parts[0].utf8) + [UInt8(ascii: "!")], at: start)
    }

    /// Writes the labels of a Swift function's parameters, which are part of its name: `load(id: Swift.Int)` → `(id:)`.
    private static func writeLabels(of function: ArraySlice<UInt8>, to out: inout [UInt8]) {
        guard let open = function.firstIndex(of: UInt8(ascii: "(")), open > function.startIndex, function[open - 1].isWord else { return }
        var (depth, start, labels) = (0, open + 1, [UInt8]())
        for i in function[(open + 1)...].indices {
            switch function[i] {
            case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")") where depth == 0: return out += labels.isEmpty ? [] : [UInt8(ascii: "(")] + labels + [UInt8(ascii: ")")]
            case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: start = i + 1
            case UInt8(ascii: ":") where depth == 0 && start >= 0:
                let label = function[start..<i].drop(while: \.isSpace)
                let isScope = i + 1 < function.endIndex && function[i + 1] == UInt8(ascii: ":")
                guard !isScope, !label.isEmpty, label.allSatisfy(\.isWord) else { return }
                labels += label + [UInt8(ascii: ":")]
                start = i + 1
            default: break
            }
        }
    }

    /// Returns the module of a mangled Swift name, which short readable names lack: `$s4Shop4CartC5totalSiyF` → `Shop`.
    private static func swiftModule(of mangled: String) -> ArraySlice<UInt8>? {
        var name = Array(mangled.utf8).drop { $0 == UInt8(ascii: "_") }
        guard name.begins(with: swiftPrefix) else { return nil }
        name = name.dropFirst(swiftPrefix.count)
        let digits = name.prefix(while: \.isDigit).prefix(3)
        let length = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        let module = name.dropFirst(digits.count).prefix(length)
        return module.isEmpty || module.count < length ? nil : module
    }

    private static let swiftPrefix = Array("$s".utf8)
    private static let libraryEndings: Set<Substring> = ["so", "dll", "dylib"]
}
