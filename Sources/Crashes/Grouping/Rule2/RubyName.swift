// SPDX-License-Identifier: Apache-2.0

/// A method of Ruby as all versions name it: without the block inside it and the class, which only Ruby 3.4 writes.
///
///     block (2 levels) in Shop::Cart#total  →  total        rescue in total  →  total
enum RubyName {
    static func simplified(_ function: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = function
        while let end = enclosing(name) { name = name[end...] }
        name = withoutTemplateNumbers(name)
        if let mark = name.lastIndex(where: { $0 == UInt8(ascii: "#") }) { return name[(mark + 1)...] }
        // `Shop::Cart.total` is a method of a class; `cart.rb` is not.
        if name.first.map({ $0.isLetter && $0 < 0x60 }) == true, let dot = name.lastIndex(of: UInt8(ascii: ".")) { return name[(dot + 1)...] }
        return name
    }

    /// Removes the numbers that each process gives a compiled template: `_app_views_cart_html_erb___28716_28460`.
    private static func withoutTemplateNumbers(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard name.first == UInt8(ascii: "_"), name.last?.isDigit == true else { return name }
        var rest = name
        while let last = rest.last, last.isDigit || last == UInt8(ascii: "_") { rest = rest.dropLast() }
        return rest
    }

    /// Whether a method is one of Ruby's own. Its frame has the file of its caller.
    static func isBuiltIn(_ name: ArraySlice<UInt8>) -> Bool {
        !name.contains { $0.isWord } || builtIn.contains(name)
    }

    private static let builtIn = Set(
        """
        each map select reject sum inject reduce fetch times tap send public_send instance_eval instance_exec class_eval loop each_with_index each_slice \
        each_with_object flat_map collect find detect any? all? none? group_by sort_by min_by max_by partition zip catch synchronize open require \
        require_relative load Integer Float Array dig first last join merge transform_values filter filter_map yield call new initialize create
        """.utf8.split { $0 == 0x20 || $0 == 0x0a }.map { ArraySlice(Array($0)) })

    /// Returns the place behind `block in `, `rescue in ` or `ensure in `.
    private static func enclosing(_ name: ArraySlice<UInt8>) -> Int? {
        guard words.contains(where: { name.begins(with: $0) }) else { return nil }
        return name.indices.first { name[$0] == UInt8(ascii: " ") && name[$0...].begins(with: inWord) }.map { $0 + inWord.count }
    }

    private static let words = ["block ", "rescue in ", "ensure in "].map { Array($0.utf8) }
    private static let inWord = Array(" in ".utf8)
}
