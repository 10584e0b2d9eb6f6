// SPDX-License-Identifier: Apache-2.0

import API
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ingestd

struct ExportTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func export(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(["export", "--app", "1", "--data", data] + arguments)
    }

    private func keys() async throws -> [String: String] {
        try #require(try await Program.run("app", "create", "a", "--json", "--data", data).json()["keys"] as? [String: String])
    }

    private func seqs(_ lines: String) -> [Int] {
        lines.split(separator: "\n").compactMap { $0.firstMatch(of: /^{"seq":(\d+)/).flatMap { Int($0.1) } }
    }

    @Test func `an export is limited by time range and resumes after a seq`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        try await daemon.take((0..<10).map { "event_\($0)" }, key: try #require(try await keys()["ingest"]))
        for beside in [true, false] {
            let all = seqs(try await export().output)
            #expect(all.count == 10 && all == all.sorted())
            #expect(seqs(try await export("--after", "\(all[6])").output) == Array(all[7...]))
            #expect(seqs(try await export("--from", "-1h", "--to", "now").output) == all)
            #expect(seqs(try await export("--to", "-1h").output).isEmpty)
            let wrong = try await export("--from", "yesterday")
            #expect(wrong.code == 1 && wrong.complaintIsOneLine && wrong.complaint.contains("from"))
            let table = try await export("--format", "csv", "--after", "\(all[8])").output.split(separator: "\r\n")
            #expect(table.count == 2 && table[0].hasPrefix("seq,id,name,") && table[1].hasPrefix("\(all[9]),"))
            if beside { #expect(await daemon.stop() == 0) }
        }
    }

    @Test func `an export resumes after the daemon cut a slow reader, without gap or duplicate`() async throws {
        let daemon = try await RunningDaemon.start(
            on: data, environment: ["INGESTD_SERVER_WRITE_TIMEOUT": "100ms", "INGESTD_SERVER_BODY_MIN_RATE": "1GiB"])
        let keys = try await keys()
        let (ingest, read) = (try #require(keys["ingest"]), try #require(keys["read"]))
        for _ in 0..<5 { try await daemon.take((0..<2_000).map { "event_\($0)" }, key: ingest) }
        let pipe = try ChildProcess.pipe()
        let export = try ProgramUnderTest.ingestd.start(
            ["export", "--app", "1", "--data", data], in: folder.path, output: pipe.writing)
        close(pipe.writing)
        var first = [UInt8](repeating: 0, count: 1)
        try #require(Glibc.read(pipe.reading, &first, 1) == 1)
        while try await connections(daemon, read) > 1 {}
        let rest = await LineReader(pipe.reading).whole()
        #expect(await export.exitCode() == 0)
        let found = seqs(String(decoding: first, as: UTF8.self) + rest)
        #expect(found.count == 10_000 && zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// The number of open connections, including the one of this request.
    private func connections(_ daemon: RunningDaemon, _ key: String) async throws -> Int {
        let body = try await daemon.ask("GET", "/metrics", key: key).body
        let line = try #require(body.split(separator: "\n").first { $0.hasPrefix("signalbox_connections ") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    @Test(arguments: 1...40) func `records are complete however their bytes are split`(size: Int) {
        let table = "seq,id,params\r\n7,a,\"{\"\"x\"\": 1}\"\r\n12,\"two\r\nlines, \"\"quoted\"\"\",\r\n"
        let first = records(.csv, table + "13,half", size)
        #expect(first.text == table && first.records.lastSeq == 12)
        var again = first.records
        again.beginAgain()
        #expect(String(decoding: again.take(Array("seq,id,params\r\n13,half a,\r\n".utf8)), as: UTF8.self) == "13,half a,\r\n")
        let lines = "{\"seq\":3,\"name\":\"a \\\" 99\"}\n{\"seq\":40}\n"
        let second = records(.ndjson, lines + "{\"seq\":41", size)
        #expect(second.text == lines && second.records.lastSeq == 40)
    }

    private func records(_ format: Exports.Format, _ text: String, _ size: Int) -> (text: String, records: ExportRecords) {
        var records = ExportRecords(isTable: format == .csv, after: 0)
        var rest = Array(text.utf8)[...]
        var out: [UInt8] = []
        while !rest.isEmpty {
            out += records.take(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return (String(decoding: out, as: UTF8.self), records)
    }
}
