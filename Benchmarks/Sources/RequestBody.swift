import Foundation
import Glibc

/// A request that is built once; only the ids are written anew.
struct RequestBody {
    private(set) var bytes: [UInt8]
    private var idOffsets: [Int] = []
    private let random: Bool
    private var state: UInt64
    private var counter: UInt64 = 0
    private static let hex = Array("0123456789abcdef".utf8)

    init(path: String, key: String, events: Int, client: Int, random: Bool) {
        self.random = random
        state = 0x9e37_79b9_7f4a_7c15 &* UInt64(client + 1) ^ UInt64(getpid()) << 32
        var body: [UInt8] = Array(#"{"context":{"platform":"ios","app_version":"2.1.0","locale":"en_GB"},"events":["#.utf8)
        var marks: [Int] = []
        for i in 0..<events {
            let n = (client * events + i) &* 2_654_435_761 % 100_000
            body += Array(#"{"id":""#.utf8)
            marks.append(body.count)
            body += Array("00000000-0000-7000-8000-000000000000".utf8)
            body += Array(
                #"","name":"event_\#(i % 50)","user_id":"user-\#(n)","installation_id":"installation-\#(n)","session_id":"s-\#(n)","params":"#.utf8)
            body += Array(#"{"screen":"Home2","plan":"pro","n":\#(i),"ratio":0.1,"text":"abcdefghijklmnopqrstuvwxyz012345678901234"}}"#.utf8)
            if i + 1 < events { body.append(0x2c) }
        }
        body += Array("]}".utf8)
        let head =
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        bytes = Array(head.utf8) + body
        idOffsets = marks.map { $0 + head.utf8.count }
    }

    mutating func renew() {
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1_000)
        for offset in idOffsets {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            counter += 1
            let high = random ? state &* 0xff51_afd7_ed55_8ccd : milliseconds << 16 | 0x7000
            write(high, digits: 16, at: offset, dashes: [8, 13])
            write(state, digits: 16, at: offset + 19, dashes: [23 - 19])
        }
    }

    private mutating func write(_ word: UInt64, digits: Int, at offset: Int, dashes: [Int]) {
        var place = offset
        for digit in 0..<digits {
            if dashes.contains(place - offset) { place += 1 }
            bytes[place] = RequestBody.hex[Int(word >> UInt64(60 - digit * 4) & 15)]
            place += 1
        }
    }
}
