// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

struct GroupingTests {
    private func frame(_ function: String?, inApp: Bool? = nil, package: String? = nil) -> StackFrame {
        var frame = StackFrame()
        frame.function = function
        frame.inApp = inApp
        frame.package = package
        return frame
    }

    /// Creates a report with frames listed newest first.
    private func report(_ type: String, reason: String? = nil, kind: CrashKind = .fatal, _ frames: StackFrame...) -> CrashReport {
        var report = CrashReport(id: "1", kind: kind, level: .fatal, time: Timestamp(milliseconds: 0), type: type)
        report.reason = reason
        report.frames = frames.reversed()
        return report
    }

    private func hash(_ report: CrashReport) -> [UInt8] { GroupingRule.current.group(report).hash }

    @Test func `rules are found by version, the newest last`() {
        #expect(GroupingRule.rules.map(\.version) == Array(1...GroupingRule.rules.count))
        #expect(GroupingRule.current.version == GroupingRule.rules.last?.version)
        #expect(GroupingRule.rule(version: 1)?.version == 1 && GroupingRule.rule(version: 0) == nil)
    }

    /// Stored hashes must be found again, so this value never changes.
    @Test func `rule 1 gives its recorded hash`() throws {
        let rule = try #require(GroupingRule.rule(version: 1))
        let key = rule.group(report("SIGSEGV", reason: "x", frame("Cart.add", inApp: true), frame("main")))
        #expect(key.hash.map { String($0, radix: 16) }.joined(separator: " ") == "2e 58 a0 e1 bd ca 90 7f 5a 66 59 be 66 a2 5a ca")
    }

    @Test func `rule 2 gives its recorded hash`() throws {
        let rule = try #require(GroupingRule.rule(version: 2))
        var report = report("KeyError", reason: "x", kind: .nonfatal, frame("index", inApp: true))
        report.platform = "python"
        report.frames[0].module = "shop.views"
        let key = rule.group(report)
        #expect(key.culprit == "shop.views:index")
        #expect(key.hash.map { String($0, radix: 16) }.joined(separator: " ") == "7 ce b a6 d0 57 3a c9 ff ff df 33 2 b ab 74")
    }

    @Test func `the nearest frame of the app decides`() {
        let plain = report("EXC_BAD_ACCESS", frame("objc_msgSend", inApp: false), frame("Cart.add", inApp: true), frame("Shop.tapped", inApp: true))
        let other = report("EXC_BAD_ACCESS", frame("objc_retain", inApp: false), frame("Cart.add", inApp: true), frame("Test.all", inApp: true))
        let key = GroupingRule.current.group(plain)
        #expect(key.hash == hash(other) && key.stackHash != GroupingRule.current.group(other).stackHash)
        #expect(key.reason == "top frame in the app: Cart.add" && key.culprit == "Cart.add" && key.title == "EXC_BAD_ACCESS")
        #expect(key.hash != hash(report("EXC_BAD_ACCESS", frame("Shop.tapped", inApp: true))))
    }

    @Test func `one fault has several names`() {
        let names = ["EXC_BAD_ACCESS", "SIGSEGV", "SIGBUS", "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS", "EXCEPTION_ACCESS_VIOLATION_READ"]
        #expect(Set(names.map { hash(report($0, frame("Cart.add"))) }).count == 1)
        #expect(hash(report("SIGTRAP", frame("Cart.add"))) != hash(report("SIGSEGV", frame("Cart.add"))))
    }

    @Test func `reports of different kinds never share a group`() {
        for fingerprint in [[], ["mine"]] {
            let keys = CrashKind.allCases.map { kind in
                var report = report("Error", reason: "no", kind: kind, frame("Cart.add"))
                report.fingerprint = fingerprint
                return hash(report)
            }
            #expect(Set(keys).count == CrashKind.allCases.count)
        }
    }

    @Test func `without a usable frame the message pattern decides`() {
        let key = GroupingRule.current.group(report("Error", reason: "user 17 not found", frame("abort"), frame(nil)))
        #expect(key.hash == hash(report("Error", reason: "user 99812 not found")))
        #expect(key.hash != hash(report("Error", reason: "user 17 not allowed")))
        #expect(key.reason == "message: user <*> not found" && key.title == "Error: user 17 not found")
    }

    @Test func `an address replaces a missing name`() throws {
        var image = BinaryImage()
        image.address = 0x1_0000
        image.size = 0x1000
        image.debugID = DebugID("c0bcc3f1-9827-fe65-3058-404b2831d9e6")
        func key(_ base: UInt64, _ offset: UInt64, image: BinaryImage) -> GroupKey {
            var image = image
            image.address = base
            var nameless = frame(nil, inApp: true)
            nameless.address = base + offset
            var report = report("SIGSEGV", nameless)
            report.images = [image]
            return GroupingRule.current.group(report)
        }
        #expect(key(0x1_0000, 0x20, image: image).hash == key(0x7_0000, 0x20, image: image).hash)
        #expect(key(0x1_0000, 0x20, image: image).hash != key(0x1_0000, 0x24, image: image).hash)
        #expect(key(0x1_0000, 0x20, image: image).culprit == "c0bcc3f1-9827-fe65-3058-404b2831d9e6+20")
        var named = image
        named.codeFile = "/srv/shop/Shop"
        #expect(key(0x1_0000, 0x20, image: named).culprit == "Shop+20")
        var other = image
        other.debugID = DebugID("d0bcc3f1-9827-fe65-3058-404b2831d9e6")
        #expect(key(0x1_0000, 0x20, image: image).hash != key(0x1_0000, 0x20, image: other).hash)
    }

    @Test func `an address in the app decides before named frames below`() {
        func key(_ caller: String) -> GroupKey {
            var nameless = frame(nil, inApp: true)
            nameless.address = 0x1_0020
            nameless.imageAddress = 0x1_0000
            var image = BinaryImage()
            image.address = 0x1_0000
            var report = report("SIGSEGV", nameless, frame(caller, inApp: true))
            report.images = [image]
            return GroupingRule.current.group(report)
        }
        #expect(key("Shop.open").hash == key("Shop.close").hash && key("Shop.open").culprit == "+20")
    }

    @Test func `an error is identified by domain and code, not its text`() {
        func error(_ code: Int, _ value: String) -> CrashReport {
            var report = report("NSError", kind: .nonfatal, frame("Cart.add"))
            var exception = CrashException()
            exception.type = value
            exception.value = value
            exception.mechanism.errorDomain = "Shop"
            exception.mechanism.errorCode = code
            report.exceptions = [exception]
            return report
        }
        #expect(hash(error(4, "no")) == hash(error(4, "nein")) && hash(error(4, "no")) != hash(error(5, "no")))
    }

    @Test func `a fingerprint replaces the rule, or narrows it`() {
        func key(_ fingerprint: [String], _ function: String = "Cart.add") -> GroupKey {
            var report = report("Error", frame(function))
            report.fingerprint = fingerprint
            return GroupingRule.current.group(report)
        }
        #expect(key(["a"]).hash == key(["a"], "Shop.open").hash && key(["a"]).hash != key(["b"]).hash && key(["a", "b"]).hash != key(["ab"]).hash)
        #expect(key(["{{ default }}"]).hash == key([]).hash && key(["{{default}}", "x"]).hash != key([]).hash)
        #expect(key(["{{ default }}", "x"]).hash != key(["{{ default }}", "x"], "Shop.open").hash)
        #expect(key(["a"]).reason == "fingerprint: a" && key(["{{ default }}", "x"]).reason == "fingerprint: x; top frame in the app: Cart.add")
    }

    @Test func `the root cause of a chain distinguishes groups`() {
        func chain(_ cause: String) -> [UInt8] {
            var report = report("Failed")
            report.exceptions = [cause, "Failed"].map {
                var exception = CrashException()
                exception.type = $0
                exception.frames = [frame("Cart.\($0)")]
                return exception
            }
            return hash(report)
        }
        #expect(chain("Timeout") != chain("Denied") && chain("Timeout") == chain("Timeout"))
    }

    @Test func `the crashed thread decides; several unmarked threads do not`() {
        func threads(_ marks: [Bool]) -> GroupKey {
            var report = report("SIGSEGV")
            report.threads = marks.enumerated().map { i, crashed in
                var thread = CrashThread()
                thread.crashed = crashed
                thread.frames = [frame("Thread.number\(i)")]
                return thread
            }
            return GroupingRule.current.group(report)
        }
        #expect(
            threads([false, true]).culprit == "Thread.number1" && threads([false]).culprit == "Thread.number0"
                && threads([false, false]).culprit == nil)
    }

    @Test func `recursion counts as one frame at any depth`() {
        func key(_ depth: Int) -> GroupKey {
            var report = report("SIGSEGV")
            report.frames = [frame("main")] + (0..<depth).map { _ in frame("Tree.walk", inApp: true) }
            return GroupingRule.current.group(report)
        }
        #expect(key(1) == key(3) && key(1) == key(200))
    }

    @Test func `mutual recursion is one group whichever frame is last`() {
        func overflow(_ names: [String], above: [String] = []) -> GroupKey {
            var report = report("SIGSEGV")
            report.frames = (["main"] + (0..<60).map { names[$0 % names.count] } + above).map { frame($0, inApp: true) }
            return GroupingRule.current.group(report)
        }
        #expect(overflow(["Tree.walk", "Tree.visit", "Node.accept"]).hash == overflow(["Tree.visit", "Node.accept", "Tree.walk"]).hash)
        #expect(overflow(["Tree.walk", "Tree.visit"]).culprit == "Tree.visit" && overflow(["Tree.walk"]).culprit == "Tree.walk")
        #expect(overflow(["Tree.walk", "Tree.visit"], above: ["Log.write"]).culprit == "Log.write")
    }
}
