// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import HTTPServer
import TestSupport
import Testing

@testable import ingestd

/// Lists of files beside one that its client does not read.
@Suite struct FileListRoomTests {
    private typealias Connection = TestSupport.HTTPConnection

    @Test func `a list that finds no room for its response waits for it`() async throws {
        try await withDaemon(configure: {
            $0.store.files.reserveBytes = 0
            // The list of all files is larger than the part of one client.
            $0.http.caps.responseMemory = 1 << 20
            $0.http.deadlines.unreadResponse = .seconds(3_600)
            $0.http.deadlines.responseTurn = .seconds(3_600)
        }) { live in
            let keys = try await live.api.makeApp()
            let note = String(repeating: "x", count: 8_000)
            for number in 0..<100 {
                let path = "/v1/files/\(keys.app)/f\(number)"
                #expect(try await live.api.request("PUT", path, key: keys.admin, headers: ["X-Meta-Note": note], body: []).status == 201)
            }
            let request = TestClient.bytes(
                "GET", "/v1/files/\(keys.app)?limit=1000", key: keys.read, headers: ["X-Forwarded-For": "192.0.2.1"])
            let unread = try Connection(.port(live.api.port), receiveBuffer: 4_096)
            try await unread.send(request)
            #expect(try await unread.head().status == 200)
            let next = try live.api.connect()
            try await next.send(request)
            #expect(try await eventually { live.daemon.server.statistics?.waitingResponses == 1 })
            await unread.close()
            let list = try await next.reply()
            #expect(list.status == 200 && list.body.count > 100 * note.utf8.count)
            #expect(try await eventually { live.daemon.server.statistics.map { $0.unsentResponseBytes + $0.waitingResponses } == 0 })
        }
    }
}
