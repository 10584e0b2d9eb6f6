// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

/// Keys of rule 2 as one number: a change to the number moves stored groups. An improvement of the rule belongs into a new rule.
@Suite struct GroupingKeyTests {
    /// FNV-1a over the hashes of many reports.
    private struct Digest {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ report: CrashReport) throws {
            let key = try #require(GroupingRule.rule(version: 2)).group(report)
            for byte in key.hash + key.stackHash { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
    }

    @Test func `random stacks of all languages have the keys of before`() throws {
        var random = SeededGenerator(29)
        var digest = Digest()
        for _ in 0..<4_000 { try digest.add(Self.report(&random)) }
        #expect(digest.value == 6_500_701_254_691_154_698)
    }

    private static func report(_ random: inout SeededGenerator) -> CrashReport {
        func any<T>(_ list: [T]) -> T { list[Int.random(in: 0..<list.count, using: &random)] }
        var report = CrashReport(id: "1", kind: any([.fatal, .nonfatal]), level: .error, time: Timestamp(milliseconds: 0), type: any(types))
        report.platform = any([nil] + platforms)
        report.reason = any(messages)
        report.images = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            var image = BinaryImage()
            (image.address, image.size, image.codeFile) = (any([nil, 0x1000, 0x1000, 0x2000, 0x9000]), any([nil, 0, 0x1000]), any(packages))
            return image
        }
        report.frames = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            var frame = StackFrame()
            (frame.function, frame.rawFunction, frame.module) = (any(functions), any([nil, nil, "$s4Shop4CartC5totalSiyF", "_$s9x"]), any(modules))
            (frame.file, frame.absolutePath, frame.package) = (any(files), any([nil] + files), any(packages))
            (frame.platform, frame.inApp) = (any([nil] + platforms), any([nil, nil, true, false]))
            (frame.line, frame.column) = (any([nil, 1, 70]), any([nil, 7, 900]))
            (frame.address, frame.imageAddress) = (any([nil, 0x1004, 0x2fff, 0x9999]), any([nil, nil, 0x1000]))
            return frame
        }
        return report
    }

    private static let types = ["EXC_BAD_ACCESS", "KeyError", "panic", "message", ""]
    private static let messages = [
        nil, "user 17 not found", "open '/srv/a b.json': permission denied", "assertion failed: x > 2: 7", "Error: SQL: select 1",
    ]
    private static let platforms = [
        "cocoa", "native", "java", "csharp", "go", "python", "ruby", "perl", "php", "javascript", "node", "dart", "elixir", "other",
    ]
    private static let functions = [
        nil, "", "?", "<redacted>", "abort", "main", "start", "Cart.checkout", "Shop.Cart.requireItem(id:)",
        "load(id: Swift.Int, of: Swift.Array<A>) -> B",
        "closure #1 in Cart.total.getter : Swift.Int", "-[UIApplication sendAction:to:]", "void shop::Cart<int>::add(int) const",
        "std::vector<int>::at",
        "Swift runtime failure: arithmetic overflow", "Array._checkSubscript", "core::panicking::panic", "shop::pay::h0123456789abcdef",
        "sentry_value",
        "Object.total [as sum]", "total/<", "e", "value", "onPress", "renderWithHooks", "async save", "HTMLInput.<anonymous>", "?anon_0_save",
        "_callee3$",
        "App\\Cart::total", "Illuminate\\Pipeline\\Pipeline::handle", "{closure}", "class@anonymous::run", "block in Shop::Cart#total", "index",
        "<lambda>",
        "com.shop.Cart.pay", "pay$lambda$0", "java.lang.Thread.run", "Shop.Cart.<Pay>d__4.MoveNext()", "main.(*Cart).Pay", "Elixir.Shop.Cart.pay/2",
        "Cart.total.<fn>", "new Cart.<anonymous closure>", "cart_add + 124", "copy$VARIANT$mp", "__cart_block_invoke_2", "größe", "a\u{301}b",
    ]
    private static let modules = [
        nil, "", "shop.views", "__main__", "com.shop.Cart", "java.util.Objects", "System.Linq", "shop:index", "Elixir.Shop",
    ]
    private static let files = [
        nil, "", "https://cdn.example/js/main.3f2a1c.js", "https://cdn.example/js/vendor.BkQ3x7Za.js?x=1", "webpack:///./src/cart.js",
        "webpack:///./node_modules/react/index.js", "/home/ana/shop/cart/views.py", "/usr/lib/python3.11/site-packages/django/views.py",
        "app/models/cart.rb", "/gems/rack-3.0/lib/rack.rb", "index.android.bundle", "app:///main.jsbundle", "node:internal/process",
        "internal/process.js",
        "C:\\shop\\Cart.cs", "Cart.java", "cart.go", "/go/pkg/mod/github.com/x/y@v1/z.go", "package:shop/cart.dart", "package:flutter/src/w.dart",
        "lib/shop/cart.ex", "/vendor/laravel/x.php", "[native code]", "<anonymous>", "/rustc/abc/library/core/src/panicking.rs", "src/main.rs",
        "v1.2/a.ts",
        "/app/index.js", "9f1c2d3e-0000-4000-8000-1234567890ab.js", "größe.swift",
    ]
    private static let packages = [
        nil, "", "/usr/lib/libc.so.6", "/usr/lib/atlas/libgeo.so", "/System/Library/Frameworks/UIKit", "/data/app/x/lib/libshop.so",
        "C:\\WINDOWS\\x.dll",
        "/var/containers/Bundle/Application/9C2D/Shop.app/Shop", "flutter", "shop", "libshop.so",
    ]
}
