// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Symbols

struct ClassMappingTests {
    private static let text = """
        # compiler: R8
        # compiler_version: 8.5.35
        # pg_map_id: 3f2a9c1
        # pg_map_hash: SHA-256 0f3c9d
        com.example.Cart -> a.b:
        # {"id":"sourceFile","fileName":"Cart.kt"}
            int count -> a
            1:3:void pay(int,java.lang.String):10:12 -> a
            4:4:void com.example.Item.check(int):7:7 -> a
            4:4:boolean com.example.List.all():20 -> a
            4:4:void pay(int,java.lang.String):13 -> a
            5:9:void pay(int,java.lang.String):14:14 -> a
            1:1:void rest():30:30 -> c
            2:2:void other():31:31 -> c
              # {"id":"com.android.tools.r8.residualsignature","signature":"()V"}
            void plain() -> d
            1:1:void <init>():5:5 -> <init>
            8:8:void same():8 -> e
            9:9:void com.example.Item.check(int):7:7 -> e
            9:9:void same():9 -> e
        com.example.Item -> a.c:
            int price -> a
        # {"id":"sourceFile","fileName":"Items.kt"}
        com.example.List -> a.d:
        com.example.Plain -> com.example.Plain:
            void kept(int) -> kept

        """

    private func mapping(_ text: String = text) throws -> ClassMapping { try ClassMapping(bytes: Array(text.utf8)) }

    private func cart(_ method: String?, _ line: Int?) -> OriginalFrame {
        OriginalFrame(className: "com.example.Cart", method: method, file: "Cart.kt", line: line)
    }

    @Test func `a mapping has an ID and a hash`() throws {
        #expect(try mapping().id == "3f2a9c1")
        #expect(try mapping().hash == "SHA-256 0f3c9d")
        #expect(try mapping("a -> b:\n# pg_map_id: 1\n").id == nil)
    }

    @Test func `a class has its original name`() throws {
        let mapping = try mapping()
        #expect(try mapping.originalClass("a.b") == "com.example.Cart")
        #expect(try mapping.originalClass("a.d") == "com.example.List")
        #expect(try mapping.originalClass("com.example.Plain") == "com.example.Plain")
        for name in ["", "a", "a.b:", "com.example.Cart"] { #expect(try mapping.originalClass(name) == nil) }
    }

    @Test func `lines keep their distance from the start of a range`() throws {
        let mapping = try mapping()
        #expect(
            try (1...3).map { try mapping.frames(class: "a.b", method: "a", line: $0) } == [[cart("pay", 10)], [cart("pay", 11)], [cart("pay", 12)]])
        // A range of one original line.
        #expect(try [5, 9].map { try mapping.frames(class: "a.b", method: "a", line: $0) } == [[cart("pay", 14)], [cart("pay", 14)]])
        #expect(try mapping.frames(class: "a.b", method: "<init>", line: 1) == [cart("<init>", 5)])
    }

    @Test func `inlined frames are listed innermost first`() throws {
        #expect(
            try mapping().frames(class: "a.b", method: "a", line: 4) == [
                OriginalFrame(className: "com.example.Item", method: "check", file: "Items.kt", line: 7),
                OriginalFrame(className: "com.example.List", method: "all", file: nil, line: 20),
                cart("pay", 13),
            ])
    }

    @Test(arguments: [nil, 0, 99]) func `a method without a known line is named if all agree`(line: Int?) throws {
        let mapping = try mapping()
        #expect(try mapping.frames(class: "a.b", method: "a", line: line) == [cart("pay", nil)])
        // Inlined methods do not count.
        #expect(try mapping.frames(class: "a.b", method: "e", line: line) == [cart("same", nil)])
        #expect(try mapping.frames(class: "a.b", method: "c", line: line) == [cart(nil, nil)])
        #expect(try mapping.frames(class: "a.b", method: "z", line: line) == [cart(nil, nil)])
        #expect(try mapping.frames(class: "a.z", method: "a", line: line) == [])
    }

    @Test func `a line decides between methods of one name`() throws {
        #expect(try mapping().frames(class: "a.b", method: "c", line: 1) == [cart("rest", 30)])
        #expect(try mapping().frames(class: "a.b", method: "c", line: 2) == [cart("other", 31)])
    }

    @Test func `a method without ranges keeps its lines`() throws {
        #expect(try mapping().frames(class: "a.b", method: "d", line: 77) == [cart("plain", 77)])
        #expect(try mapping().frames(class: "a.b", method: "d", line: nil) == [cart("plain", nil)])
        #expect(
            try mapping().frames(class: "com.example.Plain", method: "kept", line: 3)
                == [OriginalFrame(className: "com.example.Plain", method: "kept", file: nil, line: 3)])
        // A range that has the line goes first.
        let both = try mapping("x.A -> a:\n    void one() -> m\n    5:6:void two():50:51 -> m\n")
        #expect(try both.frames(class: "a", method: "m", line: 6).map(\.method) == ["two"])
        #expect(try both.frames(class: "a", method: "m", line: 7).map(\.method) == ["one"])
        #expect(try both.frames(class: "a", method: "m", line: nil).map(\.method) == [nil])
    }

    @Test func `lines of a method may be far apart and between others`() throws {
        var text = "x.A -> a:\n"
        for number in 0..<3_000 {
            text +=
                "    \(number):\(number):void m\(number)(\(String(repeating: "int,", count: number % 40)))"
                + ":\(number + 1):\(number + 1) -> \(number.isMultiple(of: 3) ? "f" : "g\(number)")\r\n"
        }
        text += "    9000:9000:void far(\(String(repeating: "x", count: 100_000))):1:1 -> h\n    9001:9001:void last():2:2 -> f\n"
        let mapping = try mapping(text)
        for number in stride(from: 3, to: 3_000, by: 111) {
            #expect(
                try mapping.frames(class: "a", method: "f", line: number)
                    == [OriginalFrame(className: "x.A", method: "m\(number)", file: nil, line: number + 1)])
        }
        #expect(try mapping.frames(class: "a", method: "f", line: 9_001).map(\.method) == ["last"])
        #expect(try mapping.frames(class: "a", method: "g4", line: 4).map(\.method) == ["m4"])
    }

    @Test func `many classes are found`() throws {
        let text = (0..<5_000).map { "x.C\($0) -> c\($0):\n# {\"id\":\"sourceFile\",\"fileName\":\"C\($0).kt\"}\n    void m\($0)() -> a\n" }
        let mapping = try mapping(text.shuffled().joined())
        for number in stride(from: 0, to: 5_000, by: 97) {
            #expect(
                try mapping.frames(class: "c\(number)", method: "a", line: 4)
                    == [OriginalFrame(className: "x.C\(number)", method: "m\(number)", file: "C\(number).kt", line: 4)])
        }
        #expect(mapping.bytes < 1 << 20)
    }

    @Test func `many inlined frames are limited`() throws {
        let text = "x.A -> a:\n" + (0..<100).map { "    1:1:void m\($0)():\($0):\($0) -> m\n" }.joined()
        let frames = try mapping(text).frames(class: "a", method: "m", line: 1)
        #expect(frames.count == 64 && frames.first?.method == "m0" && frames.last?.method == "m99")
    }

    // MARK: Invalid mappings

    @Test(arguments: ["", "\n", "# pg_map_id: 1\n", "    void a() -> b\n", "a -> b\n", "a b -> c:\n", " -> b:\n", "a -> :\n", "{}"])
    func `a text without classes is no mapping`(text: String) {
        #expect(throws: SymbolFileError.unknownFormat) { try mapping(text) }
    }

    @Test(arguments: [
        "void -> m", "void m( -> m", "m() -> m", "1:void m() -> m", "void () -> m", "void a.() -> m", "void .a() -> m", ") ( -> m", "void m() - m",
        "void m()-> m",
        "-> m",
    ]) func `an invalid line of a method is ignored`(line: String) throws {
        let frames = try mapping("x.A -> a:\n    \(line)\n").frames(class: "a", method: "m", line: 1)
        #expect(frames.map(\.method) == [line == "1:void m() -> m" ? "m" : nil])
    }

    @Test(arguments: ["2:1", "-1:3", "x:3", ":3", "99999999999:99999999999", "1: 3"]) func `an invalid range is no range`(range: String) throws {
        let frames = try mapping("x.A -> a:\n    \(range):void m():5:5 -> m\n").frames(class: "a", method: "m", line: 1)
        #expect(frames.map(\.method) == ["m"] && frames.map(\.line) == [5])
    }

    @Test(arguments: [
        "{\"id\":\"sourceFile\"}", "{\"id\":\"sourceFile\",\"fileName\":\"\"}", "{\"id\":\"sourceFile\",", "{\"sourceFile\":1}", "sourceFile",
    ])
    func `an invalid comment names no file`(comment: String) throws {
        #expect(try mapping("x.A -> a:\n# \(comment)\n").frames(class: "a", method: "m", line: 1).map(\.file) == [nil])
    }

    @Test func `a truncated mapping is read as far as possible`() throws {
        let bytes = Array(Self.text.utf8)
        for end in bytes.indices {
            guard let mapping = try? ClassMapping(bytes: Array(bytes[..<end])) else { continue }
            for line in [nil, 1, 4] { #expect(try mapping.frames(class: "a.b", method: "a", line: line).count <= 3) }
        }
    }

    @Test func `too many classes and methods are rejected`() throws {
        let source = ByteSource(bytes: Array("a -> b:\n    void m() -> a\n    void n() -> b\nc -> d:\n".utf8))
        #expect(try ClassMapping(source, classLimit: 2, memberLimit: 2).classes.count == 2)
        #expect(throws: SymbolFileError.damaged("it has too many classes")) { try ClassMapping(source, classLimit: 1, memberLimit: 2) }
        #expect(throws: SymbolFileError.damaged("it has too many methods")) { try ClassMapping(source, classLimit: 2, memberLimit: 1) }
    }
}
