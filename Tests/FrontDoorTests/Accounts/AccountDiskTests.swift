// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// Accounts on a disk that is full.
@Suite struct AccountDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `a full disk rejects changes of accounts, keeps acknowledged ones and recovers`() async throws {
        let disk = try #require(SmallDisk(bytes: 6 << 20))
        let environment = ["INGESTD_STORAGE_MIN_FREE_DISK": "0", "INGESTD_ACCOUNTS_URL": "http://accounts.test"]
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: environment)
        let keys = try await child.api.makeApp()
        let settings = try await child.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"auth_methods": "anonymous"}"#.utf8))
        #expect(settings.status == 200)
        let user = try JSON(try await child.api.post("/v1/auth/sign-in", key: keys.ingest, #"{"method": "anonymous"}"#))
        let (token, refresh) = (user["id_token"].text, user["refresh_token"].text)

        let ballast = disk.folder.path + "/ballast"
        let free = Int(try Folder.freeBytes(at: disk.folder.path))
        try File(ballast, .create).write([UInt8](repeating: 1, count: max(0, free - (256 << 10))))
        var made: [String] = []
        var refused: Reply?
        while refused == nil, made.count < 5_000 {
            let reply = try await child.api.post("/v1/auth/accounts", key: keys.admin, #"{"id": "user-\#(made.count)"}"#)
            if reply.status == 201 { made.append("user-\(made.count)") } else { refused = reply }
        }
        let refusal = try #require(refused)
        #expect(try refusal.status == 503 && JSON(refusal)["code"].text == "storage_full", "\(refusal.text)")
        #expect(refusal.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
        // Checks of tokens read nothing from the disk and write nothing.
        #expect(try await child.api.get("/v1/auth/user", key: token).status == 200)
        #expect(try await child.api.get("/healthz").status == 200)

        try Folder.remove(ballast)
        let renewed = try await child.api.post("/v1/auth/token", key: keys.ingest, #"{"refresh_token": "\#(refresh)"}"#)
        #expect(renewed.status == 200, "\(renewed.text)")
        #expect(try await child.api.post("/v1/auth/accounts", key: keys.admin, #"{"id": "user-\#(made.count)"}"#).status == 201)
        made.append("user-\(made.count)")
        #expect(await child.stop() == 0)

        let again = try await DaemonProcess.start(in: disk.folder.path, environment: environment)
        let figures = try JSON(try await again.api.get("/v1/auth/figures", key: keys.admin))
        #expect(figures["accounts"].number == made.count + 1, "\(figures.source)")
        for uid in [made.first, made.last].compactMap(\.self) {
            #expect(try await again.api.get("/v1/auth/accounts/\(uid)", key: keys.admin).status == 200)
        }
        #expect(await again.stop() == 0)
    }

    /// One user deletes the account, and a server another one; the users' data in other stores follows.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `accounts are deleted on a disk without a free byte`() async throws {
        let disk = try #require(SmallDisk(bytes: 40 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: ["INGESTD_STORAGE_MIN_FREE_DISK": "0"])
        let keys = try await child.api.makeApp()
        func send(_ method: String, _ path: String, _ body: String) async throws {
            #expect(try await child.api.request(method, path, key: keys.admin, body: Array(body.utf8)).status == 200)
        }
        try await send("PATCH", "/v1/app", #"{"auth_methods": "anonymous"}"#)
        try await send("PUT", "/v1/documents:persons", #"{"patterns": [{"path": "users/{uid}/**"}]}"#)
        var users: [(token: String, uid: String)] = []
        for _ in 0..<2 {
            let user = try JSON(try await child.api.post("/v1/auth/sign-in", key: keys.ingest, #"{"method": "anonymous"}"#))
            users.append((user["id_token"].text, user["user"]["id"].text))
        }
        let writes = users.map { #"{"set": "users/\#($0.uid)/notes/a", "fields": {"text": "x"}}"# }.joined(separator: ", ")
        try await send("POST", "/v1/documents:commit", #"{"writes": [\#(writes)]}"#)
        try disk.fill()
        // The log may have room for some.
        var made = 0
        while made < 1_000, try await Self.makeAccount(made, child, keys) == 201 { made += 1 }
        #expect(made < 1_000)

        let own = try await child.api.request("DELETE", "/v1/auth/user", key: users[0].token)
        #expect(own.status == 204, "\(own.text)")
        let other = try await child.api.request("DELETE", "/v1/auth/accounts/\(users[1].uid)", key: keys.admin)
        #expect(other.status == 204, "\(other.text)")
        #expect(try await child.api.get("/v1/auth/accounts/\(users[0].uid)", key: keys.admin).status == 404)
        for user in users {
            let query = #"{"from": "users/\#(user.uid)/notes"}"#
            // A round that fails is repeated after a minute.
            let isGone = try await eventually(within: .seconds(240)) {
                let left = try await child.api.post("/v1/documents:query", key: keys.admin, query)
                return try left.status == 200 && JSON(left)["documents"].items.isEmpty
            }
            #expect(isGone)
        }
        #expect(await child.stop() == 0)
    }

    private static func makeAccount(_ number: Int, _ child: DaemonProcess, _ keys: AppKeys) async throws -> Int {
        try await child.api.post("/v1/auth/accounts", key: keys.admin, #"{"id": "user-\#(number)"}"#).status
    }
}
