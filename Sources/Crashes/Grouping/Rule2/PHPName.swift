// SPDX-License-Identifier: Apache-2.0

/// A function of PHP; a closure counts as the function that PHP 8.4 names as its parent.
///
///     App\Cart::App\{closure}            →  nothing: the caller tells closures apart
///     {closure:App\Cart::total():42}     →  App\Cart::total
///     class@anonymous\0/srv/a.php:7$0::run  →  class@anonymous::run
enum PHPName {
    static func simplified(_ function: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let open = function.lastIndex(of: UInt8(ascii: "{")) else { return withoutPath(function) }
        let inside = function[open...]
        guard inside.begins(with: namedClosure) else { return [] }
        let parent = inside.dropFirst(namedClosure.count)
        // `{closure:/srv/routes/web.php:14}` has no function around it.
        if parent.first == UInt8(ascii: "/") || parent.dropFirst().first == UInt8(ascii: ":") { return [] }
        return parent.prefix { $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: "}") }
    }

    static func isClosure(_ function: String) -> Bool { function.contains("{closure") }

    /// Whether a closure belongs to a file and not to a class of the app: one in a script, or one that a library's object is bound to.
    static func isOfFile(closure function: ArraySlice<UInt8>) -> Bool {
        function.first == UInt8(ascii: "{") || LibraryNames.contains(namespace: String(decoding: function, as: UTF8.self))
    }

    /// Whether a function belongs to a class that was compiled from a template.
    static func isTemplate(_ name: ArraySlice<UInt8>) -> Bool { name.begins(with: template) }

    private static let template = Array("__TwigTemplate".utf8)

    private static func withoutPath(_ function: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let null = function.firstIndex(of: 0), let colon = function.lastIndex(of: UInt8(ascii: ":")), colon > null else { return function }
        return function[..<null] + classScope + function[(colon + 1)...]
    }

    /// Removes the hash in the name of a compiled template: `__TwigTemplate_4f2c…::doDisplay`.
    static func withoutHash(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let end = name.firstIndex(of: UInt8(ascii: ":")), let mark = name[..<end].lastIndex(of: UInt8(ascii: "_")),
            case let hash = name[(mark + 1)..<end], hash.count >= 16, hash.allSatisfy(\.isHexDigit)
        else { return name }
        return name[..<mark] + name[end...]
    }

    /// Functions of PHP itself. Their frames have the file of their callers.
    static let builtIn = Set(
        """
        count array_map array_filter array_walk array_reduce array_merge array_key_exists array_sum array_combine array_keys array_values usort uasort \
        json_decode json_encode file_get_contents file_put_contents fopen fread unlink in_array implode explode str_replace strlen strpos preg_match \
        preg_replace preg_replace_callback call_user_func call_user_func_array unserialize serialize include require include_once require_once intdiv \
        round number_format date strtotime iterator_to_array sprintf substr trim max min is_a array_search simplexml_load_string mb_substr hex2bin
        """.utf8.split { $0 == 0x20 || $0 == 0x0a }.map { ArraySlice(Array($0)) })

    private static let namedClosure = Array("{closure:".utf8)
    private static let classScope = Array("::".utf8)
}
