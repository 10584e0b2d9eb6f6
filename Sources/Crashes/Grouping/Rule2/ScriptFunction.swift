// SPDX-License-Identifier: Apache-2.0

/// A function of Python, Ruby, PHP, JavaScript or Dart behind its module or file.
///
///     python  module `shop.views`, `index`                        →  shop.views:index
///     ruby    `app/models/cart.rb`, `block in Shop::Cart#total`   →  app/models/cart:total
///     php     `App\Cart::total`                                   →  App\Cart::total
///     node    module `shop:index`, `Cart.total [as sum]`          →  shop:index:Cart.total
///     dart    `package:shop/cart.dart`, `Cart.total.<fn>`         →  package:shop/cart:Cart.total
enum ScriptFunction {
    /// Writes the module or file and the function. Returns whether the text identifies one function.
    static func write(
        _ frame: StackFrame, _ function: ArraySlice<UInt8>, _ language: Language, _ paths: inout PathFacts, to out: inout [UInt8]
    ) -> Bool {
        let name = simplified(function, language)
        // PHP writes the whole class before the function. A class without a namespace may exist in several plugins.
        let isComplete = language == .php && name.contains(UInt8(ascii: "\\")) && !name.contains(UInt8(ascii: "@"))
        let isClosure = language == .php && name.isEmpty && !function.isEmpty && !PHPName.isOfFile(closure: function)
        let start = out.count
        if !isComplete, !isClosure { writePlace(frame, language, &paths, to: &out) }
        guard !name.isEmpty, !isShared(name, frame, language) else { return false }
        if language == .php, out.last == UInt8(ascii: "/") {
            // A file that only has a hash for a name was compiled, as its class may have been. The caller tells such templates apart.
            out.removeSubrange(start...)
            out += name
            return !PHPName.isTemplate(name)
        }
        if !out.isEmpty, !isComplete { out.append(colon) }
        out += name
        if isMinified(name, frame, language) { writePosition(frame, to: &out) }
        return true
    }

    // MARK: - Place

    private static func writePlace(_ frame: StackFrame, _ language: Language, _ paths: inout PathFacts, to out: inout [UInt8]) {
        let file = frame.file ?? frame.absolutePath ?? ""
        switch language {
        case .python:
            if let module = frame.module, !module.isEmpty, module != "__main__" {
                out += module.utf8
            } else {
                out += paths.name(of: file).map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }
            }
        // `index` is the main file of any folder.
        case .node where frame.module.map { !$0.isEmpty && $0 != "index" } == true: out += (frame.module ?? "").utf8
        case .dart where frame.absolutePath?.hasPrefix("package:") == true: out += (frame.absolutePath ?? "").utf8.dropLast(5)
        default: out += paths.name(of: file)
        }
    }

    // MARK: - Function

    private static func simplified(_ function: ArraySlice<UInt8>, _ language: Language) -> ArraySlice<UInt8> {
        switch language {
        case .php: PHPName.withoutHash(PHPName.simplified(function))
        case .ruby: RubyName.simplified(function)
        case .dart: withoutDartClosures(function)
        case .python: nameless.contains { function.elementsEqual($0) } ? [] : function
        default: JavaScriptName.simplified(function, keepsClass: language == .node)
        }
    }

    private static func withoutDartClosures(_ function: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = function.begins(with: newWord) ? function.dropFirst(newWord.count) : function
        while let ending = dartClosures.first(where: { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }) {
            name = name.dropLast(ending.count)
        }
        return name
    }

    /// Whether many functions of a program have this name, so that the caller has to tell them apart.
    private static func isShared(_ name: ArraySlice<UInt8>, _ frame: StackFrame, _ language: Language) -> Bool {
        switch language {
        case .javascript, .node: shared.contains(name)
        case .ruby: RubyName.isBuiltIn(name)
        case .php: PHPName.builtIn.contains(name)
        default: false
        }
    }

    // MARK: - Minified code

    /// Whether a minifier chose the name, which is then no more than a letter of one build.
    private static func isMinified(_ name: ArraySlice<UInt8>, _ frame: StackFrame, _ language: Language) -> Bool {
        guard name.count <= 2 || name.elementsEqual(valueWord) else { return false }
        return position(frame, language) != nil
    }

    /// Returns the position of a frame in minified code; nil in other code.
    static func position(_ frame: StackFrame, _ language: Language) -> (line: Int, column: Int)? {
        guard language == .javascript, let line = frame.line, let column = frame.column else { return nil }
        return isBundle(frame) || line <= 60 && column > 200 ? (line, column) : nil
    }

    /// Whether the frame is in a bundle of React Native.
    static func isBundle(_ frame: StackFrame) -> Bool { frame.file?.hasSuffix("bundle") == true }

    /// Whether the function has the name that handlers of an event have in all screens.
    static func isHandler(_ frame: StackFrame) -> Bool { frame.function.map(handlers.contains) ?? false }

    private static let handlers: Set = [
        "onPress", "onLongPress", "onClick", "onChange", "onChangeText", "onSubmit", "onLayout", "onScroll", "onFocus", "onBlur", "render",
        "callback",
        "handler", "listener", "componentDidMount", "componentDidUpdate", "onResponderRelease", "value", "anonymous",
    ]

    private static func writePosition(_ frame: StackFrame, to out: inout [UInt8]) {
        out.append(colon)
        out += "\(frame.line ?? 0):\(frame.column ?? 0)".utf8
    }

    private static let colon = UInt8(ascii: ":")
    private static let newWord = Array("new ".utf8)
    private static let valueWord = Array("value".utf8)
    private static let dartClosures = [".<anonymous closure>", ".<fn>", "<anonymous closure>", "<fn>"].map { Array($0.utf8) }
    private static let nameless = ["<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "?"].map { Array($0.utf8) }
    /// Functions that transpilers and runtimes generate.
    private static let shared = WordList([
        "_callee", "tryCatch", "_next", "_throw", "asyncGeneratorStep", "next", "fulfilled", "rejected", "step", "__awaiter", "_loop", "wrapped",
    ])
}
