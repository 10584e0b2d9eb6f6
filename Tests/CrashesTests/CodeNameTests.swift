// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

/// The function names by which rule 2 identifies groups, for frames as the SDKs send them.
struct CodeNameTests {
    struct Case: CustomTestStringConvertible {
        var platform: String
        var module: String?
        var function: String?
        var file: String?
        var name: String?

        init(_ platform: String, _ module: String?, _ function: String?, _ name: String?) {
            self.init(platform, module, function, nil, name)
        }

        init(_ platform: String, _ module: String?, _ function: String?, _ file: String?, _ name: String?) {
            (self.platform, self.module, self.function, self.file, self.name) = (platform, module, function, file, name)
        }

        var testDescription: String { "\(platform) \(module ?? "") \(function ?? "") \(file ?? "")" }
    }

    private func culprit(_ one: Case) -> String? {
        var frame = StackFrame()
        (frame.module, frame.function, frame.file) = (one.module, one.function, one.file)
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "Error")
        report.platform = one.platform
        report.frames = [frame]
        return GroupingRule.rule(version: 2)?.group(report).culprit
    }

    @Test(arguments: [
        Case("cocoa", nil, "Cart.checkout()", "Cart.swift", "Cart.checkout (Cart.swift)"),
        Case("native", nil, "shop::Cart::checkout(int)", "/src/shop/Cart.cpp", "shop::Cart::checkout (Cart.cpp)"),
        Case("cocoa", nil, "Cart.checkout()", nil, "Cart.checkout"), Case("native", nil, "Cart.cpp", "Cart.cpp", "Cart.cpp"),
        Case("python", "shop.views", "index", "shop/views.py", "shop.views:index"),
    ])
    func `a culprit of native code names its source file`(one: Case) {
        #expect(culprit(one) == one.name)
    }

    @Test(arguments: [
        Case("python", "shop.views", "index", "shop/views.py", "shop.views:index"), Case("python", nil, "index", "blog/views.py", "blog.views:index"),
        Case("python", "__main__", "<module>", "run.py", "run:<module>"), Case("python", "shop.sort", "<lambda>", "shop/sort.py", "shop.sort"),
        Case("ruby", nil, "block (2 levels) in Shop::Cart#total", "app/models/cart.rb", "app/models/cart:total"),
        Case("ruby", nil, "rescue in total", "app/models/cart.rb", "app/models/cart:total"),
        Case("ruby", nil, "_app_views_cart_html_erb___28716491_28460", "app/views/cart.html.erb", "app/views/cart.html:_app_views_cart_html_erb"),
        Case("php", nil, "App\\Cart::total", "/app/Cart.php", "App\\Cart::total"),
        Case("php", nil, "Widget::render", "/app/Cart.php", "app/cart:Widget::render"),
        Case("php", nil, "App\\Cart::{closure:App\\Cart::total():42}", "/app/Cart.php", "App\\Cart::total"),
        Case("php", nil, "__TwigTemplate_4f2c9a17d0be63856eb0d71a9c2f44f2::doDisplay", "templates/a.twig", "templates/a:__TwigTemplate::doDisplay"),
        Case("php", nil, "__TwigTemplate_5bd1b6f0c2a98e7711::doDisplay", "/var/cache/twig/5b/5bd1b6f0c2a98e7711.php", "__TwigTemplate::doDisplay"),
        Case("php", nil, "App\\Cart::App\\{closure}", "/app/Cart.php", nil), Case("php", nil, "{closure}", "/srv/routes/web.php", "routes/web"),
        Case("php", nil, "{closure:/srv/routes/web.php:14}", "/srv/routes/web.php", "routes/web"),
        Case("node", "index", "Runtime.handler", "/var/task/upload/index.js", "upload/index:Runtime.handler"),
        Case("javascript", nil, "Field.set value", "https://shop.example/js/field.js", "js/field:value"),
        Case("javascript", nil, "pushView", "https://news.example/2026/11/a-77.html?x=1", "page:pushView"),
        Case("javascript", nil, "pay", "file:///C:/Users/ana/till/resources/app.asar/dist/till.js", "dist/till:pay"),
        Case("node", "shop:index", "Cart.total [as sum]", "/srv/shop/index.js", "shop:index:Cart.total"),
        Case("javascript", nil, "async Cart.pay", "https://shop.example/static/js/checkout.3f2a1b9c.js?v=2", "static/js/checkout:pay"),
        Case("javascript", nil, "pay/<", "webpack:///./src/cart/checkout.js", "src/cart/checkout:pay"),
        Case("javascript", nil, "?anon_0_save", "app:///8c1f0b7e-2a44-4d0b-9a1e-77d1a3e0aa10/index.android.bundle", "save"),
        Case("javascript", nil, "decodeTile", "blob:https://atlas.example/0e5b8a61-77d2-4c0c-8a43-51b0a7c1d2aa", "decodeTile"),
        Case("dart", nil, "Cart.total.<fn>", "cart.dart", "cart:Cart.total"), Case("dart", nil, "new Cart", "cart.dart", "cart:Cart"),
    ])
    func `functions of scripts have their module or file`(one: Case) {
        #expect(culprit(one) == one.name)
    }

    @Test(arguments: [
        Case("java", "com.shop.Cart$1", "run", "com.shop.Cart.run"), Case("java", "com.shop.Cart$pay$1", "invokeSuspend", "com.shop.Cart.pay"),
        Case("java", "com.shop.Cart", "pay$lambda$3", "com.shop.Cart.pay"), Case("java", "com.shop.Cart", "lambda$pay$0", "com.shop.Cart.pay"),
        Case("java", "com.shop.Cart$$ExternalSyntheticLambda0", "onClick", "com.shop.Cart.onClick"),
        Case("java", "com.shop.Cart", "pay-0E7RQCE", "com.shop.Cart.pay"), Case("java", "a.b.c", "a", "a.b.c.a"),
        Case("csharp", "Shop.Cart+<PayAsync>d__12", "MoveNext", "Shop.Cart.PayAsync"),
        Case("csharp", "Shop.Cart+<>c__DisplayClass5_0", "<Pay>b__0", "Shop.Cart.Pay"),
        Case("csharp", nil, "async Task<Receipt> Basket.PayAsync(Guid id)+(Item x) => { }", "Basket.PayAsync"),
        Case("csharp", nil, "(int, int) Basket.Split<T>(Guid id)+Amount(object cell)", "Shops/Basket.cs", "Shops/basket:Basket.Split.Amount"),
        Case("csharp", nil, "Basket_Pay_m3E0C9A77", "Basket_Pay"), Case("csharp", nil, "void Basket.Pay()", "Basket.cs", "Basket.Pay"),
        Case("csharp", nil, "void Basket.Pay()", "Shops/Basket.cs", "Shops/basket:Basket.Pay"),
        Case("go", "acme/shop", "(*Cart).Pay.func1.2", "acme/shop.(*Cart).Pay"), Case("go", "acme/shop/vendor/yaml.v3", "Sum[...]", "yaml.v3.Sum"),
        Case("go", "acme/shop", "(*Cart).Pay-fm", "acme/shop.(*Cart).Pay"), Case("go", "acme/csv", "func1", "acme/csv"),
        Case("elixir", "Elixir.Shop.Cart", "pay/2", "Shop.Cart.pay/2"), Case("elixir", nil, "anonymous fn/1 in Shop.Cart.pay/2", "Shop.Cart.pay/2"),
        Case("elixir", nil, "Shop.Cart.\"-pay/2-lc$^0/1-0-\"/2", "Shop.Cart.pay/2"),
        Case("elixir", nil, "Shop.Cart.-pay/2-fun-0-/1", "Shop.Cart.pay/2"),
    ])
    func `methods have their class or package`(one: Case) {
        #expect(culprit(one) == one.name)
    }

    @Test(arguments: [
        Case("cocoa", nil, "Shop.Cart.load(id: Swift.Int) -> Shop.Item", "Shop.Cart.load(id:)"),
        Case("cocoa", nil, "Cart.load(id:url:)", "Cart.load(id:url:)"),
        Case("cocoa", nil, "closure #2 (Swift.Int) -> () in closure #1 in Shop.Cart.total.getter : Swift.Int", "Shop.Cart.total.getter"),
        Case("cocoa", nil, "-[Cart(Paying) add:]", "-[Cart add:]"),
        Case("native", nil, "shop::Cart::add(std::vector<int> const&)", "shop::Cart::add"),
        Case("native", nil, "shop::cart::add::{{closure}}", "shop::cart::add"), Case("native", nil, "_assertionFailure(_:_:file:line:flags:)", nil),
        Case("cocoa", nil, "Swift.Array.subscript.getter : A", nil),
    ])
    func `native functions keep their scope and labels`(one: Case) {
        #expect(culprit(one) == one.name)
    }

    @Test func `an inlined runtime failure gives way to the function that failed`() {
        let frames = ["Cart.total(times:)", "Swift runtime failure: arithmetic overflow"].map { name in
            var frame = StackFrame()
            (frame.function, frame.address, frame.inApp, frame.isInline) = (name, 0x1000, true, name.hasPrefix("Swift"))
            return frame
        }
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "SIGILL")
        report.frames = frames
        #expect(GroupingRule.current.group(report).culprit == "Cart.total(times:)")
    }

    @Test func `the module of a mangled Swift name is kept`() {
        var frame = StackFrame()
        (frame.function, frame.rawFunction) = ("Cart.total()", "$s4Shop4CartC5totalSiyF")
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "SIGSEGV")
        (report.frames, report.platform) = ([frame], "cocoa")
        #expect(GroupingRule.current.group(report).culprit == "Shop.Cart.total")
    }

    @Test func `a helper counts together with its caller`() {
        func report(_ functions: String...) -> CrashReport {
            var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "Error")
            report.platform = "python"
            report.frames = functions.reversed().map { name in
                var frame = StackFrame()
                (frame.function, frame.module, frame.inApp) = (name, "shop", true)
                return frame
            }
            return report
        }
        let rule = GroupingRule.current
        #expect(rule.group(report("require_user", "pay")).hash != rule.group(report("require_user", "ship")).hash)
        #expect(rule.group(report("total", "pay")).hash == rule.group(report("total", "ship")).hash)
        #expect(rule.group(report("require_user", "pay")).culprit == "shop:pay" && rule.group(report("total", "pay")).culprit == "shop:total")
        #expect(rule.group(report("require_user", "pay")).reason == "top frame in the app: shop:require_user called by shop:pay")
    }
}
