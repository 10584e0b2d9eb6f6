// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

/// The simplified frame names of rule 1, as shown in an issue's culprit. They never change.
struct FrameNameTests {
    private func culprit(_ function: String?, platform: String? = nil, module: String? = nil, file: String? = nil) -> String? {
        var frame = StackFrame()
        frame.function = function
        frame.platform = platform
        frame.module = module
        frame.file = file
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "SIGSEGV")
        report.frames = [frame]
        return GroupingRule.rule(version: 1)?.group(report).culprit
    }

    @Test(arguments: [
        ("Cart.checkout(items: Swift.Array<Shop.Item>) async throws -> Swift.Bool", "Cart.checkout"),
        ("Shop.Cart.total.getter : Swift.Int", "Shop.Cart.total.getter"),
        ("closure #2 (Swift.Int) -> () in closure #1 in Shop.Cart.total.getter : Swift.Int", "Shop.Cart.total.getter"),
        ("partial apply forwarder for closure #1 () -> () in Shop.Cart.add(Swift.Int) -> ()", "Shop.Cart.add"),
        ("generic specialization <Swift.Int, Shop.Item> of Shop.Cart.add<A>(A) -> ()", "Shop.Cart.add"),
        ("protocol witness for Shop.Payable.pay() -> () in conformance Shop.Cart : Shop.Payable in Shop", "Shop.Payable.pay"),
        ("@objc Shop.Cart.tapped(Any) -> ()", "Shop.Cart.tapped"),
        ("(2) await resume partial function for Shop.Cart.load() async -> ()", "Shop.Cart.load"),
        ("static Shop.(Row in _0A1B2C3D4E5F).make() -> Shop.(Row in _0A1B2C3D4E5F)", "Shop.Row.make"),
        ("(extension in Shop):Swift.Array.second.getter : A?", "Array.second.getter"),
    ]) func `Swift names lose arguments, closures and thunks`(name: String, simple: String) {
        #expect(culprit(name) == simple)
    }

    @Test(arguments: [
        ("void shop::Cart<int, std::vector<long> >::add(int, char const*) const", "shop::Cart::add"),
        ("(anonymous namespace)::parse(std::string&)", "parse"), ("shop::`anonymous namespace'::parse", "shop::parse"),
        ("shop::Cart::add(int)::{lambda(int)#1}::operator()(int) const", "shop::Cart::add"),
        ("shop::Cart::add(int)::$_12::operator()() const", "shop::Cart::add"),
        ("shop::<lambda_0a1b2c>::operator()", "shop"), ("non-virtual thunk to shop::Cart::add()", "shop::Cart::add"),
        ("shop::operator<<(shop::Cart const&)", "shop::operator<<"), ("shop::Cart::operator()(int)", "shop::Cart::operator()"),
        ("shop::Cart::operator bool() const", "shop::Cart::operator bool"), ("shop::Cart::operator->() const", "shop::Cart::operator->"),
        ("std_like_add(int) [clone .cold]", "std_like_add"), ("add.constprop.0.isra.1", "add"), ("add.cold.1", "add"), ("cart_add + 124", "cart_add"),
        ("cart_add+0x7c", "cart_add"),
        ("dispatch_group_leave$VARIANT$armv81.cold.1", "dispatch_group_leave"), ("memchr_own@@GLIBC_2.2.5", "memchr_own"),
        ("shop_add (.cold.2)", "shop_add"),
        ("shop::Cart::~Cart()", "shop::Cart::~Cart"), ("shop::cart::add::h0123456789abcdef", "shop::cart::add"),
        ("<shop::Cart<T> as shop::Payable>::pay", "shop::Cart::pay"), ("shop::cart::add::{{closure}}", "shop::cart::add"), ("face", "face"),
        ("add2", "add2"),
    ]) func `C, C++ and Rust names lose arguments, templates and clone suffixes`(name: String, simple: String) {
        #expect(culprit(name) == simple)
    }

    @Test(arguments: [
        ("-[Cart add:to:]", "-[Cart add:to:]"), ("-[Cart(Paying) add:]", "-[Cart add:]"), ("__15-[Cart add:to:]_block_invoke.12", "-[Cart add:to:]"),
        ("__41+[Cart shared]_block_invoke_2", "+[Cart shared]"), ("__cart_add_block_invoke_3", "cart_add"), ("___cart_add_block_invoke", "_cart_add"),
    ]) func `Objective-C names lose categories and block suffixes`(name: String, simple: String) {
        #expect(culprit(name) == simple)
    }

    @Test(arguments: [
        ("com.shop.Cart$1", "run", "com.shop.Cart.run"), ("com.shop.Cart$Item$2", "get", "com.shop.Cart$Item.get"),
        ("com.shop.Cart$$Lambda$12/0x0000", "accept", "com.shop.Cart.accept"), ("com.shop.Cart", "lambda$add$0", "com.shop.Cart.add"),
    ]) func `Java and Kotlin names lose anonymous classes and lambdas`(module: String, function: String, simple: String) {
        #expect(culprit(function, platform: "java", module: module) == simple)
    }

    @Test(arguments: [
        ("pay", "https://shop.example/static/Checkout.3f2a1b9c.js?v=2", "checkout:pay"), ("Cart.pay", "app:///checkout.js", "checkout:pay"),
        ("Cart.prototype.pay", "checkout.js", "checkout:pay"), ("pay/<", "checkout.js", "checkout:pay"), ("async pay", "checkout.js", "checkout:pay"),
        ("Object.pay [as total]", "checkout.js", "checkout:pay"),
    ]) func `JavaScript names have their file without hash and extension`(function: String, file: String, simple: String) {
        #expect(culprit(function, platform: "javascript", file: file) == simple)
    }

    @Test(arguments: [
        "<redacted>", "???", "0x1f2e3d", "__hidden#12_", "", "abort", "std::__1::vector<int>::at(unsigned long)", "outlined copy of Swift.String",
        "_assertionFailure(_:_:file:line:flags:)",
    ])
    func `names that identify no app function are ignored`(name: String) {
        #expect(culprit(name) == nil)
    }
}
