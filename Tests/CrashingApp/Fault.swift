// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Signalbox

/// Ways to crash, each in a function whose name must appear in the stack.
enum Fault {
    @inline(never) static func meet(_ how: String, in app: SignalboxApp) {
        switch how {
        case "SIGSEGV": spoilTheBasket(0x10)
        case "loaded":
            _ = dlopen("libanl.so.1", RTLD_NOW)
            spoilTheBasket(0x80)
        case "mended": spoilTheBasket(Earlier.closedPage)
        case "SIGBUS": readBeyondTheFile()
        case "fatalError", "uncaught": fatalError("the basket has no bottom")
        case "abort": abort()
        case "overflow":
            app.crashes.log("falls")
            print(fallForEver(1))
        case "nothing": callNothing()
        case "thread": onAThread { spoilTheBasket(0x20) }
        case "both":
            Thread.detachNewThread { spoilTheBasket(0x30) }
            onAThread { spoilTheBasket(0x40) }
        case "starved": withoutDescriptors { spoilTheBasket(0x50) }
        case "closed": closeEverything { spoilTheBasket(0x60) }
        case "recorded": loseTheReceipt(app)
        case "consent":
            app.analytics.setCollectionEnabled(false)
            spoilTheBasket(0x70)
        case "reset":
            app.crashes.setUserID("bob")
            app.analytics.resetData()
            spoilTheBasket(0x90)
        default: raise(Int32(how) ?? SIGKILL)
        }
    }

    @inline(never) private static func spoilTheBasket(_ address: UInt) {
        UnsafeMutablePointer<Int>(bitPattern: address)?.pointee = 1
    }

    private struct NoReceipt: Error {}

    @inline(never) private static func loseTheReceipt(_ app: SignalboxApp) {
        app.crashes.setCustomValue(.integer(#line + 1), forKey: "line")
        app.crashes.record(error: NoReceipt())
        app.crashes.log("went home")
    }

    @inline(never) private static func fallForEver(_ depth: Int) -> Int {
        depth < 0 ? 0 : fallForEver(depth + 1) &+ 1
    }

    private static func readBeyondTheFile() {
        let file = emptyFile()
        let page = mmap(nil, 4096, PROT_READ, MAP_SHARED, file, 0)
        print(page?.load(as: Int.self) ?? 0)
    }

    @inline(never) private static func callNothing() {
        let nothing = unsafeBitCast(UInt(8), to: (@convention(c) () -> Void).self)
        nothing()
        print("came back")
    }

    private static func onAThread(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread(body)
        while true { pause() }
    }

    private static func withoutDescriptors(_ body: () -> Void) {
        while open("/dev/null", O_RDONLY) >= 0 {}
        body()
    }

    private static func closeEverything(_ body: () -> Void) {
        for descriptor in Int32(3)..<1_024 where !isTheRuntimes(descriptor) { close(descriptor) }
        // Other files have these descriptors now.
        for _ in 0..<64 { _ = emptyFile() }
        body()
    }

    /// Dispatch's epoll descriptor. Dispatch ends a process that closes it, before the intended fault.
    private static func isTheRuntimes(_ descriptor: Int32) -> Bool {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return target?.hasPrefix("anon_inode:") == true
    }

    private static func emptyFile() -> Int32 {
        var path = Array("/tmp/crashing-app.XXXXXX".utf8CString)
        defer { unlink(path) }
        return mkstemp(&path)
    }
}
