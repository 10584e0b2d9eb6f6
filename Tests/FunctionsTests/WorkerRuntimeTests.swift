// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
import Testing

@testable import Workers

/// Values of the Runtime API, and of the folders of workers.
@Suite struct WorkerRuntimeTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:88B8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 70001 1 0000000000000000 100 0 0 10 0
           1: 0100007F:A028 0100007F:88B8 01 00000000:00000000 00:00000000 00000000  1000        0 70002 1 0000000000000000 20 4 30 10 -1
           2: 0100007F:88B8 0100007F:A028 01 00000000:00000000 00:00000000 00000000  1000        0 70003 1 0000000000000000 20 4 30 10 -1
           3: 0200007F:A029 0100007F:88B8 01 00000000:00000000 00:00000000 00000000  1000        0 70004 1 0000000000000000 20 4 30 10 -1
           4: 0100007F:002A 0100007F:88B8 01 00000000:00000000 00:00000000 00000000  1000        0 70005 1 0000000000000000 20 4 30 10 -1
        """

    @Test func `the sockets of clients are those with both addresses`() {
        #expect(ConnectionOwners(server: 35_000).inodes(in: Array(Self.table.utf8)) == [41_000: 70_002, 42: 70_005])
        #expect(ConnectionOwners(server: 41_000).inodes(in: Array(Self.table.utf8)) == [35_000: 70_003])
        #expect(ConnectionOwners(server: 0).inodes(in: Array(Self.table.utf8)).isEmpty)
    }

    @Test func `a table that is damaged has no socket`() {
        for text in ["", "\n\n", "0: 0100007F:A028 0100007F:88B8", String(repeating: " ", count: 100)] {
            #expect(ConnectionOwners(server: 35_000).inodes(in: Array(text.utf8)).isEmpty)
        }
    }

    @Test(arguments: [
        #"{"a":"é"}"#: #"{"a":"\u00e9"}"#, #"{"a":"€😀"}"#: #"{"a":"\u20ac\ud83d\ude00"}"#, "{\"a\":\n1}": #"{"a": 1}"#,
        "{\"a\":\"\u{7f}\"}": #"{"a":"\u007f"}"#,
    ])
    func `JSON in a header field is ASCII`(json: String, field: String) {
        #expect(RuntimeEvent.ascii(Array(json.utf8)) == field)
    }

    @Test(arguments: [
        ("/data", "/data", true), ("/data/1", "/data", true), ("/database", "/data", false), ("/data", "/", true), ("/", "/data", false),
    ])
    func `a path is within a folder by whole names`(path: String, folder: String, isWithin: Bool) {
        #expect(WorkerPlace.isWithin(path, folder) == isWithin)
    }
}
