// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Testing

@Suite struct PercentDecodingTests {
    static let forms: [(String, String?)] = [
        ("data=a", "a"), ("a=1&data=%7B%7d&data=no", "{}"), ("d%61ta=x+y", "x y"), ("&&data=", ""), ("data", ""), ("data=a=b", "a=b"),
        ("data=%zz", nil), ("data=%4", nil), ("data=%ff", nil), ("datas=1", nil), ("", nil), ("a=%zz&data=b", "b"),
        (String(repeating: "&", count: 999) + "data=a", "a"), (String(repeating: "&", count: 1_000) + "data=a", nil),
    ]

    @Test(arguments: forms)
    func `the first value of a name is found within the pair limit`(form: String, value: String?) {
        #expect(PercentDecoding.value(of: "data", inForm: Array(form.utf8)).map { String(decoding: $0, as: UTF8.self) } == value)
    }

    @Test func `pairs and segments are percent-decoded once`() {
        let pairs = PercentDecoding.pairs(of: "a=1&b=%2541+c&&d")
        #expect(pairs?.map { "\($0.name):\($0.value)" } == ["a:1", "b:%41 c", "d:"])
        #expect(PercentDecoding.pairs(of: "a=%4") == nil && PercentDecoding.pairs(of: "%ff=1") == nil)
        #expect(PercentDecoding.segments(of: "/a+b/%2F//") == ["a+b", "/", "", ""])
        #expect(PercentDecoding.segments(of: "/%f") == nil)
    }
}
