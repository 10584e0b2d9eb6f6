// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Symbols

struct DemanglerTests {
    private let demangler = Demangler(.confined("demangle"))

    @Test func `Swift and C++ names are demangled`() throws {
        let checkout = "$s3App4CartC8checkout5items_SiSayAA4ItemVG_SitYaKF"
        let names = try demangler.names(of: [checkout, "_" + checkout, "_ZN4shop4Cart8checkoutEi", "main", "-[Cart checkout:]", checkout])
        #expect(
            names.texts == [
                checkout: "Cart.checkout(items:_:)", "_" + checkout: "Cart.checkout(items:_:)",
                "_ZN4shop4Cart8checkoutEi": "shop::Cart::checkout(int)",
            ])
    }

    @Test func `Rust names of both schemes are demangled`() throws {
        let names = [
            "_RNvNtCs1234_7mycrate3foo3bar": "mycrate::foo::bar", "__RNCNvC7mycrate4main0": "mycrate::main::{closure#0}",
            "_ZN4shop5total17h0123456789abcdefE": "shop::total",
            "_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE.llvm.12": "<T as core::convert::Into<U>>::into",
        ]
        #expect(try demangler.names(of: names.keys + ["_RNvC7mycrate", "_Raw"]).texts == names)
    }

    @Test func `a name that only looks mangled has no readable form`() throws {
        let names = try demangler.names(of: ["$s", "_Z", "_ZN4shop", "$s3App\n4x", "_Z\u{1}\u{2}", "_Z" + String(repeating: "1f", count: 4_000)])
        #expect(names.texts == [:] && names.isComplete)
    }

    /// A name of 300 bytes that expands to gigabytes costs a child, not the daemon.
    @Test func `a name that expands without bound is given up`() throws {
        let start = ContinuousClock.now
        let names = try demangler.names(of: [bomb(levels: 60), "_ZN4shop4Cart8checkoutEi"])
        #expect(!names.isComplete && names.texts == ["_ZN4shop4Cart8checkoutEi": "shop::Cart::checkout(int)"])
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    /// `f(pair<int, int>, pair<that, that>, pair<that, that>, …)`: each twice as long as the one before it, and all in a few bytes.
    private func bomb(levels: Int) -> String {
        func number(_ value: Int) -> String { String(value, radix: 36, uppercase: true) }
        return "_Z1f4pairIiiE" + (0..<levels).map { "S_IS\(number($0))_S\(number($0))_E" }.joined()
    }
}
