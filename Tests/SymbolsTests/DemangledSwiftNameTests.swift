// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Symbols

/// Expected are the names that the toolchain's `swift-demangle --simplified` writes, without generics.
struct DemangledSwiftNameTests {
    @Test(arguments: [
        ("App.top() -> ()", "top()"),
        ("App.Cart.init(a: Swift.Int) -> App.Cart", "Cart.init(a:)"),
        ("static App.Cart.== infix(App.Cart, App.Cart) -> Swift.Bool", "static Cart.== infix(_:_:)"),
        ("static Swift.Int.< infix(Swift.Int, Swift.Int) -> Swift.Bool", "static Int.< infix(_:_:)"),
        ("static App.Cart.make<A>(_: A, with: (A) -> Swift.Int) -> App.Cart?", "static Cart.make(_:with:)"),
        ("App.Cart.total.getter : Swift.Int", "Cart.total.getter"),
        ("App.Cart.subscript.getter : (Swift.Int) -> Swift.Int", "Cart.subscript.getter"),
        ("App.Cart.(hidden in _DF095742B3B0A7F95EA1BCE58554B43C)() -> ()", "Cart.hidden()"),
        ("App.Cart.checkout(items: [App.Item], _: Swift.Int) async throws -> Swift.Int", "Cart.checkout(items:_:)"),
        ("App.Cart.pay(by: [Swift.String : Swift.Int], then: (Swift.Int) throws -> ()) -> ()", "Cart.pay(by:then:)"),
        (
            "closure #1 (Swift.Int) -> Swift.Int in App.Cart.checkout(items: [App.Item], _: Swift.Int) async throws -> Swift.Int",
            "closure #1 in Cart.checkout(items:_:)"
        ),
        (
            "closure #1 (Swift.Int) -> () in closure #1 ((Swift.Int) throws -> ()) -> (Swift.Int, Swift.Int) in App.clo() -> ()",
            "closure #1 in closure #1 in clo()"
        ),
        ("protocol witness for App.P.f() -> () in conformance App.Cart : App.P in App", "protocol witness for P.f() in conformance Cart"),
        ("App.Cart.__deallocating_deinit", "Cart.__deallocating_deinit"),
        ("(extension in App):Swift.Array.more(x: Swift.Int) -> Swift.Int", "Array.more(x:)"),
        (
            "(extension in Swift):Swift.Collection.map<A, B where B1: Swift.Error>((A.Element) throws(B1) -> A1) throws(B1) -> [A1]",
            "Collection.map(_:)"
        ),
        (
            "default argument 1 of Swift.print(_: Any..., separator: Swift.String, terminator: Swift.String) -> ()",
            "default argument 1 of print(_:separator:terminator:)"
        ),
        ("main", "main"),
    ]) func typesAndModulesAreLeftOut(name: String, short: String) {
        #expect(DemangledSwiftName.short(name) == short)
    }

    @Test(arguments: ["", "App.f(", "App.f)", "a <", "closure #1 () -> ) in x", "...", "(((", "->"])
    func whatIsOfNoKnownFormStaysAsItIs(name: String) {
        #expect(DemangledSwiftName.short(name) == name || !DemangledSwiftName.short(name).isEmpty)
    }

    @Test func `a truncated name has a short form`() {
        let name =
            "closure #1 ((Swift.Int) throws -> ()) -> [Swift.Int : A] in (extension in App):Swift.Array.(hid in _DF)<A>(x: (A) -> B, _: C) -> ()"
        for end in name.indices { #expect(DemangledSwiftName.short(String(name[..<end])).isEmpty == (end == name.startIndex)) }
    }
}
