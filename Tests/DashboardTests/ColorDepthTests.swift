// SPDX-License-Identifier: Apache-2.0

import Foundation
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Sample frames painted for terminals with fewer colours or characters.
struct ColorDepthTests {
    /// The parameters of every SGR sequence in the output.
    private func painted(_ depth: ColorDepth, _ alphabet: Alphabet = .unicode) throws -> [[Int]] {
        var painter = Painter(depth, alphabet)
        let frames = [
            DashboardView(try .sample(Size(200, 60))).frame(), DashboardView(try .sample(at: "crashes", answers: SampleCrashes.all())).frame(),
        ]
        return frames.flatMap { frame in
            String(decoding: painter.paint(frame), as: UTF8.self).matches(of: /\e\[([0-9;]*)m/).map { match in
                match.1.split(separator: ";").compactMap { Int($0) }
            }
        }
    }

    private static let attributes: Set = [0, 1, 2, 4, 7]

    @Test func `without colours only attributes are used`() throws {
        let painted = try painted(.none)
        #expect(!painted.isEmpty && painted.joined().allSatisfy { ColorDepthTests.attributes.contains($0) })
    }

    @Test func `each of 16 colours is one SGR number`() throws {
        let colors = Set(try painted(.basic).joined()).subtracting(ColorDepthTests.attributes)
        #expect(
            colors.count > 2
                && colors.allSatisfy { (30...37).contains($0) || (90...97).contains($0) || (40...47).contains($0) || (100...107).contains($0) })
    }

    @Test(arguments: [(ColorDepth.indexed, 5, 3), (.full, 2, 5)]) func `an indexed colour has a number, a full colour three components`(
        depth: ColorDepth, kind: Int, length: Int
    ) throws {
        let colored = try painted(depth).compactMap { codes in codes.firstIndex { $0 == 38 || $0 == 48 }.map { Array(codes[$0...]) } }
        #expect(!colored.isEmpty && colored.allSatisfy { $0.count.isMultiple(of: length) && $0[1] == kind && $0.allSatisfy { $0 < 256 } })
    }

    @Test func `every drawn character has an ASCII substitute`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Fixtures/frames/"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let texts = try files.map { try String(contentsOfFile: folder + $0, encoding: .utf8) }
        let drawn = Set(texts.joined()).filter { !$0.isASCII && !$0.isLetter && !$0.isNumber }
        #expect(files.count > 50 && drawn.count > 20)
        for character in drawn {
            var frame = Frame(Size(2, 1))
            frame.put(String(character), 0, 0)
            #expect(frame.printed(.none, .ascii) != Array("?\n".utf8), "\(character) \(character.unicodeScalars.map(\.value))")
        }
    }

    @Test func `an ASCII terminal gets only ASCII bytes`() throws {
        var painter = Painter(.basic, .ascii)
        #expect(painter.paint(DashboardView(try .sample(Size(200, 60))).frame()).allSatisfy { $0 < 0x80 })
    }
}
