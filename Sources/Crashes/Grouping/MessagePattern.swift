// SPDX-License-Identifier: Apache-2.0

/// A message without what changes from one report to the next: `user <n> not found`. Only its first two lines that are not empty.
enum MessagePattern {
    private static let lines = 2
    private static let longest = 1_024

    static func of(_ message: String) -> [UInt8] {
        var pattern: [UInt8] = []
        var left = lines
        for line in message.utf8.prefix(longest).split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) where left > 0 {
            let before = pattern.count
            write(Array(line)[...], to: &pattern)
            if pattern.count > before { left -= 1 }
        }
        return pattern
    }

    private static func write(_ line: ArraySlice<UInt8>, to pattern: inout [UInt8]) {
        var rest = line
        var isFirst = true
        while case let spaceless = rest.drop(while: \.isSpace), !spaceless.isEmpty {
            let word = spaceless.prefix { !$0.isSpace }
            rest = spaceless[word.endIndex...]
            if !isFirst || !pattern.isEmpty { pattern.append(0x20) }
            isFirst = false
            if MessageDate.begins(word, rest) {
                rest = MessageDate.end(of: rest)
                pattern += "<date>".utf8
            } else {
                MessageWord.write(word, to: &pattern)
            }
        }
    }
}
