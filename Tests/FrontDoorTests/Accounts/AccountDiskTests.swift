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
}
