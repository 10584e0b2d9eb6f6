// SPDX-License-Identifier: Apache-2.0

/// A message with its variable parts replaced by placeholders. Only the first two non-empty lines count.
///
///     user 17 not found              →  user <n> not found
///     mail to anna@shop.example      →  mail to <email>
///     from 127.0.0.1:8080            →  from <ip>
///     name='Anna' vip=true           →  name=<value> vip=<value>
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
