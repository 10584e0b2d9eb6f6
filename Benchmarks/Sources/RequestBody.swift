// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A request that is built once; only its slots are replaced.
struct RequestBody {
    private(set) var bytes: [UInt8]
    private let slots: [RequestSlot]
    private let random: Bool
    private var state: UInt64
    private static let hex = Array("0123456789abcdef".utf8)

    /// A batch of events, of which every nth is a native purchase; none is with 0.
    init(path: String, key: String, shape: EventShape, events: Int, purchases: Int, client: Int, random: Bool) {
        var body = Array(shape.head(key: key, client: client).utf8)
        var marks: [Int] = []
        for i in 0..<events {
            let person = (client * events + i) &* 2_654_435_761 % 100_000
            var texts: [String]
            if purchases > 0, i % purchases == 0 {
                let purchase = EventShape.purchase(person: person)
                texts = [purchase.start, purchase.middle, purchase.end]
            } else {
                let event = shape.event(number: i, person: person)
                texts = [event.start, event.end].compactMap(\.self)
            }
            body += Array(texts.removeFirst().utf8)
            for text in texts {
                marks.append(body.count)
                body += Array("00000000-0000-7000-8000-000000000000".utf8)
                body += Array(text.utf8)
            }
            if i + 1 < events { body.append(0x2c) }
        }
        self.init(path: path, key: key, body: body + Array("]}".utf8), marks.map { RequestSlot($0, .uuid) }, client: client, random: random)
    }

    /// A crash report of about the given size, of one of a hundred issues; in the format of Sentry's SDKs for a Sentry path.
    init(path: String, key: String, reportBytes: Int, client: Int) {
        let now = ISO8601DateFormatter().string(from: Date())
        let isEnvelope = path.contains("/envelope")
        var body = Array((isEnvelope ? RequestBody.envelope(client, now) : RequestBody.report(client, now)).utf8)
        let frameEnd = isEnvelope ? "]}}]},\"event_id\":\"" : "]}],\"id\":\""
        let crash = Array(#"{"function":"Cart.checkout00()","module":"shop","filename":"Cart.swift","lineno":41,"in_app":true}\#(frameEnd)"#.utf8)
        let end = Array((isEnvelope ? "00000000-0000-4000-8000-000000000000\"}\n" : "00000000-0000-4000-8000-000000000000\"}]}").utf8)
        var frame = 0
        while body.count + crash.count + end.count < reportBytes {
            let screen = "Screen\(frame % 20)", address = String(4_368_000_000 + frame * 64, radix: 16)
            let place = #""lineno":\#(frame + 10),"instruction_addr":"0x\#(address)","in_app":\#(frame % 3 == 0)"#
            body += Array(
                #"{"function":"\#(screen).update(state\#(frame):)","module":"shop","filename":"Sources/\#(screen).swift",\#(place)},"#.utf8)
            frame += 1
        }
        let issue = body.count + #"{"function":"Cart.checkout"#.utf8.count
        body += crash
        self.init(
            path: path, key: key, body: body + end, [RequestSlot(body.count, .uuid), RequestSlot(issue, .decimal(below: 100))], client: client,
            random: true)
    }

    private static func report(_ client: Int, _ now: String) -> String {
        #"""
        {"installation_id":"installation-\#(client)","session_id":"s-\#(client)","release":"shop@2.1.0+57","context":{"platform":"ios",
        "os_version":"18.1","device_model":"iPhone17,1"},"crashes":[{"timestamp":"\#(now)","handled":false,"exceptions":[{"type":"EXC_BAD_ACCESS",
        "value":"Attempted to dereference a null pointer.","mechanism":{"type":"mach","handled":false},"frames":[
        """#
    }

    /// An envelope item without a length ends at the line end, so the report is a single line.
    private static func envelope(_ client: Int, _ now: String) -> String {
        let event =
            #"""
            {"user":{"id":"installation-\#(client)"},"release":"shop@2.1.0+57","platform":"cocoa","contexts":{"os":{"name":"iOS","version":"18.1"},
            "device":{"model":"iPhone17,1"}},"timestamp":"\#(now)","level":"fatal","exception":{"values":[{"type":"EXC_BAD_ACCESS",
            "value":"Attempted to dereference a null pointer.","mechanism":{"type":"mach","handled":false},"stacktrace":{"frames":[
            """#
        return "{}\n{\"type\":\"event\"}\n" + event.replacing("\n", with: "")
    }

    /// A request from a text with slots, such as `{"user": "u{below 1000}"}` (`RequestSlot`), which the path may have too.
    ///
    /// - Parameter target: A method and a path, or a path that is posted to.
    init(_ target: String, key: String, text: String, client: Int, random: Bool) {
        let (body, bodySlots) = RequestSlot.parse(text)
        let line = target.hasPrefix("/") ? "POST \(target)" : target
        let (start, startSlots) = RequestSlot.parse(line)
        let head = start + Array(RequestBody.headers(key, bodyBytes: body.count).utf8)
        bytes = head + body
        slots = startSlots + bodySlots.map { RequestSlot($0.offset + head.count, $0.kind) }
        self.random = random
        state = RequestBody.seed(client)
    }

    private init(path: String, key: String, body: [UInt8], _ slots: [RequestSlot], client: Int, random: Bool) {
        let head = "POST \(path)" + RequestBody.headers(key, bodyBytes: body.count)
        bytes = Array(head.utf8) + body
        self.slots = slots.map { RequestSlot($0.offset + head.utf8.count, $0.kind) }
        self.random = random
        state = RequestBody.seed(client)
    }

    private static func headers(_ key: String, bodyBytes: Int) -> String {
        " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\nContent-Type: application/json\r\nContent-Length: \(bodyBytes)\r\n\r\n"
    }

    private static func seed(_ client: Int) -> UInt64 { 0x9e37_79b9_7f4a_7c15 &* UInt64(client + 1) ^ UInt64(getpid()) << 32 }

    mutating func renew() {
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1_000)
        for slot in slots {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let mixed = state &* 0xff51_afd7_ed55_8ccd
            switch slot.kind {
            case .uuid:
                write(random ? mixed : milliseconds << 16 | 0x7000, digits: 16, at: slot.offset, dashes: [8, 13])
                write(state, digits: 16, at: slot.offset + 19, dashes: [23 - 19])
            case .id:
                write((random ? mixed >> 16 : milliseconds) << 16, digits: 12, at: slot.offset, dashes: [])
                write(state, digits: 8, at: slot.offset + 12, dashes: [])
            case .decimal(let bound): write(Int((mixed >> 1) % UInt64(bound)), decimals: slot.width, at: slot.offset)
            case .now: write(Int(monotonicSeconds() * 1_000_000), decimals: slot.width, at: slot.offset)
            case .next(let counter): write(counter.next(), decimals: slot.width, at: slot.offset)
            }
        }
    }

    private mutating func write(_ number: Int, decimals: Int, at offset: Int) {
        var rest = number
        for place in (offset..<offset + decimals).reversed() {
            bytes[place] = 0x30 + UInt8(rest % 10)
            rest /= 10
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
