// SPDX-License-Identifier: Apache-2.0

import Crashes
import Testing

@testable import Symbols

struct GeneratedFileTests {
    private func file(_ text: String) -> GeneratedFile { GeneratedFile(Array(text.utf8)) }

    @Test(arguments: [
        ("a()\n//# sourceMappingURL=a.js.map", "a.js.map"), ("//# sourceMappingURL=a.js.map\r\n", "a.js.map"),
        ("\t //@ sourceMappingURL=b.map \n", "b.map"),
        ("//# sourceMappingURL=old.map\na()\n//# sourceMappingURL=new.map\n", "new.map"), ("//# sourceMappingURL=é.map", "é.map"),
    ]) func `a comment names the map`(text: String, url: String) {
        #expect(file(text).sourceMapURL == url)
    }

    @Test(arguments: [
        "", "a()", "//# sourceMappingURL=", "//# sourceMappingURL= a", "x='//# sourceMappingURL=a.map'", "//sourceMappingURL=a.map",
        "//# sourceMappingURL=\"+url", "//# sourceMappingURL=data:" + String(repeating: "x", count: 20_000),
    ]) func `other text names no map`(text: String) {
        #expect(file(text).sourceMapURL == nil && file(text).debugID == nil)
    }

    @Test func `a comment has the debug ID`() {
        let id = "8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34"
        let text = "a()\n//# debugId=\(id)\n//# sourceMappingURL=a.map\n//# debugId=none"
        #expect(file(text).debugID?.text == id)
        #expect(file(text).sourceMapURL == "a.map")
    }

    @Test func `columns are UTF-16 code units`() {
        let lines = ["ab", "", "é€😀x", String(repeating: "a€😀", count: 1_000), "", "last"]
        let text = lines.joined(separator: "\n")
        let file = file(text)
        var place = 0
        for (number, line) in lines.enumerated() {
            var column = 0
            for scalar in line.unicodeScalars {
                #expect(file.place(line: number, column: column) == place)
                column += scalar.utf16.count
                place += scalar.utf8.count
            }
            place += 1
        }
        for (line, column) in [(-1, 0), (0, -1), (6, 0), (5, 4), (.max, 0)] { #expect(file.place(line: line, column: column) == nil) }
        #expect(self.file("").place(line: 0, column: 0) == nil)
        #expect(self.file("a\n").place(line: 1, column: 0) == nil)
    }

    @Test(arguments: [
        "function a(){}", "function  a(b){}", "function*a(){}", "async function a(){}", "a=function(){}", "a:function(){}", "a=async()=>1",
        "a = (b,c) => 1",
        "a=b=>1", "a:(b=(1))=>{}", "a(b){}", "a(b=f(1)) {}", "var a=function(){}",
    ]) func `a function is declared`(text: String) throws {
        let place = try #require(text.utf8.firstIndex(of: 0x61).map { text.utf8.distance(from: text.utf8.startIndex, to: $0) })
        let column = text.hasPrefix("async") ? 15 : text.hasPrefix("var") ? 4 : place
        #expect(file(text).declares([0x61], line: 0, column: column))
        #expect(!file(text).declares([0x78], line: 0, column: column))
    }

    @Test(arguments: [
        "", "a", "a()", "a(b);", "a=1", "a=b", "a==b", "ab=function(){}", "a=(b)", "a(" + String(repeating: "b,", count: 200) + "b){}", "a((b){}",
    ]) func `a use is no declaration`(text: String) {
        #expect(!file(text).declares([0x61], line: 0, column: 0))
        #expect(!file("xfunction " + text).declares([0x61], line: 0, column: 10) || text.hasPrefix("a("))
    }

    @Test func `the function of a place has an original name`() throws {
        let text = "function a(c){return b(c)}\nfunction b(c){throw c}"
        let json =
            #"{"version":3,"sources":["s"],"names":["checkout","pay","item"],"mappings":"#
            + "\""
            + mappings([
                [[0, 0, 0, 0], [9, 0, 0, 9, 0], [11, 0, 0, 20, 2], [14, 0, 1, 0], [21, 0, 1, 7, 1], [23, 0, 1, 9, 2]],
                [[9, 0, 5, 9, 1], [11, 0, 5, 11, 2], [14, 0, 6, 0]],
            ])
            + "\"}"
        let map = try SourceMap(Array(json.utf8))
        let file = file(text)
        #expect(map.functionName("a", line: 1, column: 22, in: file) == "checkout")
        #expect(map.functionName("b", line: 2, column: 15, in: file) == "pay")
        #expect(map.functionName("new Object.b", line: 2, column: 15, in: file) == "pay")
        // Its call in the first line is no declaration.
        #expect(map.functionName("b", line: 1, column: 22, in: file) == nil)
        #expect(map.functionName("c", line: 2, column: 15, in: file) == nil)
        #expect(map.functionName("", line: 2, column: 15, in: file) == nil)
        #expect(map.functionName("b", line: 9, column: 1, in: file) == nil)
    }
}
