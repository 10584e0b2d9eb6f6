// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Platform

@Suite struct ZoneOffsetsTests {
    private static let names = [
        "UTC", "Europe/Berlin", "Asia/Kathmandu", "Africa/Cairo", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo",
    ]

    @Test(arguments: names)
    func `offsets match the system's calendar over many years`(name: String) throws {
        let zone = try #require(ZoneOffsets(name))
        let theirs = try #require(TimeZone(identifier: name))
        var differing: [Int64] = []
        for hour in stride(from: Int64(1990 - 1970) * 8_766, to: Int64(2037 - 1970) * 8_766, by: 5) {
            let moment = Timestamp(milliseconds: hour * 3_600_000)
            let expected = theirs.secondsFromGMT(for: Date(timeIntervalSince1970: Double(hour * 3_600)))
            if zone.offset(at: moment) != Int64(expected) * 1_000 { differing.append(hour) }
        }
        #expect(differing == [])
    }

    @Test(arguments: names)
    func `a local time converts to the first time not before it`(name: String) throws {
        let zone = try #require(ZoneOffsets(name))
        for quarter in stride(from: Int64(0), to: 366 * 96, by: 1) {
            let local = Timestamp(milliseconds: 1_767_225_600_000 + quarter * 900_000)
            let moment = zone.moment(ofLocal: local)
            #expect(zone.local(moment) >= local)
            #expect(zone.local(moment - .minutes(15)) < local)
        }
    }

    @Test(arguments: ["", "Mars/Olympus", "../etc/passwd", "Europe/../Europe/Berlin", "/usr/share/zoneinfo/UTC", "Europe", "zone.tab", "europe\0"])
    func `an unknown zone is nil`(name: String) {
        #expect(ZoneOffsets(name) == nil)
    }

    @Test func `a damaged zone file is nil and never traps`() throws {
        let file = try File("/usr/share/zoneinfo/Europe/Berlin", .read)
        let bytes = try file.read(at: 0, count: file.size)
        #expect(ZoneOffsets(name: "x", tzif: bytes) != nil)
        for end in stride(from: 0, to: bytes.count, by: 7) {
            // The footer with the rule for the far future is not read.
            if ZoneOffsets(name: "x", tzif: Array(bytes[..<end])) != nil { #expect(bytes.count - end < 100) }
        }
        for place in 0..<200 {
            var broken = bytes
            broken[place] ^= 0xff
            _ = ZoneOffsets(name: "x", tzif: broken)
        }
    }
}
