// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform

/// The time to group a report of 40 frames, the fastest of seven rounds.
enum GroupingRun {
    private static let frames = 40
    private static let rounds = 7
    private static let perRound = 2_000

    static func run() {
        measure("names of Swift, C++ and Objective-C", report(native))
        measure("names of JavaScript", report(script))
        measure("addresses among 300 images", report(address))
        measure("nothing but a message", report { _ in StackFrame() })
    }

    private static func measure(_ name: String, _ report: CrashReport) {
        var marks: UInt8 = 0
        let times = (0..<rounds).map { _ in
            ContinuousClock().measure {
                for _ in 0..<perRound { marks ^= GroupingRule.current.group(report).hash[0] }
            }
        }
        print("\(name): \((times.min() ?? .zero) / perRound) a report (\(marks))")
    }

    private static func report(_ frame: (Int) -> StackFrame) -> CrashReport {
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: "EXC_BAD_ACCESS")
        report.reason = "Exception 1, Code 1, Subcode 4374672656 >\nAttempted to dereference garbage pointer 0x1fef9f0."
        report.frames = (0..<frames).map(frame)
        report.images = (0..<300).map { i in
            var image = BinaryImage()
            image.address = 0x1_0000_0000 + UInt64(299 - i) << 20
            image.size = 1 << 20
            image.debugID = DebugID("c0bcc3f1-9827-fe65-3058-404b2831d9e6")
            return image
        }
        return report
    }

    private static func native(_ i: Int) -> StackFrame {
        var frame = StackFrame()
        (frame.function, frame.package) =
            switch i % 5 {
            case 0:
                (
                    "closure #2 (Swift.Int, Shop.Item) async throws -> Swift.Bool in Shop.Cart.pay\(i)(items: Swift.Array<Shop.Item>) -> Swift.Bool",
                    app
                )
            case 1: ("-[UIApplication(Internal\(i)) sendAction:to:from:forEvent:]", "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore")
            case 2: ("void shop::Cart<std::map<int, std::string>, \(i)>::add\(i)(int, std::vector<int, std::allocator<int> > const&) const", app)
            case 3: ("__CFRUNLOOP_IS_SERVICING_THE_MAIN_DISPATCH_QUEUE__", "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation")
            default: ("_dispatch_main_queue_callback_4CF$VARIANT$mp", "/usr/lib/system/libdispatch.dylib")
            }
        return frame
    }

    private static func script(_ i: Int) -> StackFrame {
        var frame = StackFrame()
        frame.platform = "javascript"
        frame.function = "Object.pay\(i) [as total]"
        frame.file = "https://shop.example/static/js/Checkout.3f2a1b9c.chunk.js"
        return frame
    }

    private static func address(_ i: Int) -> StackFrame {
        var frame = StackFrame()
        frame.address = 0x1_0000_0000 + UInt64(i) * 0x1234
        frame.package = app
        return frame
    }

    private static let app = "/var/containers/Bundle/Application/9C2D/Shop.app/Shop"
}
