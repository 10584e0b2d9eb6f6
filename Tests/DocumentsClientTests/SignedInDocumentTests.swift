// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox
@testable import SignalboxDocuments

/// The documents of an app's signed-in user.
@Suite struct SignedInDocumentTests {
    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{uid}/{rest=**} { allow read, write: if request.auth.uid == uid; }
          }
        }
        """
    private static let password = "correct horse battery staple"

    /// A daemon whose app lets users sign in, and an app with a clock of its own.
    private struct Scene {
        let world: DocumentWorld
        let app: SignalboxApp
        let documents: Documents
        let clock: Locked<Date>

        static func start(_ environment: [String: String] = [:], _ change: (inout DocumentOptions) -> Void = { _ in }) async throws -> Scene {
            let world = try await DocumentWorld.start(rules: SignedInDocumentTests.rules, environment)
            let methods = Array(#"{"auth_methods": "password"}"#.utf8)
            try #require(try await world.api.request("PATCH", "/v1/app", key: world.keys.admin, body: methods).status == 200)
            let clock = Locked(Date())
            var options = SignalboxOptions(address: try #require(URL(string: "http://127.0.0.1:\(world.network.port)")), key: world.keys.ingest)
            options.folder = URL(fileURLWithPath: world.appFolder.path)
            options.capturesCrashes = false
            options.backoff = Backoff(first: 0.02, longest: 0.1)
            options.now = { clock.withLock { $0 } }
            let app = try SignalboxApp(options)
            let documents = try app.documents { options in
                options.backoff = Backoff(first: 0.02, longest: 0.1)
                change(&options)
            }
            return Scene(world: world, app: app, documents: documents, clock: clock)
        }

        func signUp(_ name: String) async throws -> String {
            try await app.accounts.signUp(email: "\(name)@example.org", password: SignedInDocumentTests.password, name: nil).user.id
        }

        func signIn(_ name: String) async throws {
            try await app.accounts.signIn(email: "\(name)@example.org", password: SignedInDocumentTests.password)
        }

        func close() async {
            await documents.close()
            await app.close()
        }
    }

    @Test func `documents follow the user of the app`() async throws {
        let scene = try await Scene.start()
        let documents = scene.documents
        let ana = try await scene.signUp("ana")
        try await documents.document("users/\(ana)").set(["name": "Ana"])
        let watched = Watched(documents.document("users/\(ana)").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { watched.last?["name"] == "Ana" && watched.last?.isFromCache == false })
        // What Ana writes without a network waits for her.
        await documents.setNetworkEnabled(false)
        try await documents.batch().update(documents.document("users/\(ana)"), ["n": .increment(1)]).enqueue()
        let bob = try await scene.signUp("bob")
        let missing = await #expect(throws: DocumentError.self) { try await documents.document("users/\(ana)").get(source: .cache) }
        #expect(missing?.code == .notFound)
        await watched.task.withLock { $0 }?.value
        #expect(watched.error == nil, "the listener of the earlier user has ended")
        await documents.setNetworkEnabled(true)
        try await documents.document("users/\(bob)").set(["name": "Bob"])
        let denied = await #expect(throws: DocumentError.self) { try await documents.document("users/\(ana)").get(source: .server) }
        #expect(denied?.code == .permissionDenied)
        #expect(try await !scene.world.fields("users/\(ana)")["n"].exists)
        try await scene.signIn("ana")
        try await documents.waitForPendingWrites()
        #expect(try await scene.world.fields("users/\(ana)")["n"].number == 1)
        #expect(try await documents.document("users/\(ana)").get(source: .cache)["name"] == "Ana")
        await scene.close()
    }

    @Test func `a listener of a user who signs out ends without another call`() async throws {
        let scene = try await Scene.start { $0.removesLocalDataAtSignOut = true }
        let ana = try await scene.signUp("ana")
        let watched = Watched(scene.documents.document("users/\(ana)").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { watched.last?.exists == false })
        let folder = scene.world.appFolder.path + "/Documents"
        let file = StoreName.of(ana) + ".db"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains(file))
        try await scene.app.accounts.signOut()
        await watched.task.withLock { $0 }?.value
        #expect(try await eventually { try !FileManager.default.contentsOfDirectory(atPath: folder).contains(file) })
        await scene.close()
    }

    @Test func `after a user whose store cannot be opened the one before is there again`() async throws {
        let scene = try await Scene.start()
        let documents = scene.documents
        let ana = try await scene.signUp("ana")
        try await documents.document("users/\(ana)").set(["name": "Ana"])
        let bob = try await scene.signUp("bob")
        try await scene.signIn("ana")
        #expect(try await documents.document("users/\(ana)").get(source: .cache)["name"] == "Ana")
        // A folder in the place of Bob's file.
        let folder = URL(fileURLWithPath: scene.world.appFolder.path).appendingPathComponent("Documents")
        let file = folder.appendingPathComponent(StoreName.of(bob) + ".db")
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        try await scene.signIn("bob")
        let unusable = await #expect(throws: DocumentError.self) { try await documents.document("users/\(bob)").get(source: .cache) }
        #expect(unusable?.code == .dataLoss)
        try await scene.signIn("ana")
        #expect(try await documents.document("users/\(ana)").get(source: .cache)["name"] == "Ana")
        await scene.close()
    }

    @Test func `with an expired ID token and without a network reads come from the cache and writes wait`() async throws {
        let scene = try await Scene.start()
        let ana = try await scene.signUp("ana")
        let document = scene.documents.document("users/\(ana)")
        try await document.set(["n": 1])
        scene.world.network.goDown()
        scene.clock.withLock { $0 += 2 * 60 * 60 }
        let read = try await document.get()
        #expect(read.isFromCache && read["n"] == 1)
        #expect(try await scene.documents.collection("users/\(ana)/orders").get().isFromCache)
        let error = await #expect(throws: DocumentError.self) { try await document.get(source: .server) }
        #expect(error?.code == .unavailable)
        let write = try await scene.documents.batch().update(document, ["n": .increment(1)]).enqueue()
        scene.world.network.mend()
        scene.app.didBecomeActive()
        try await write.confirmation()
        #expect(try await scene.world.fields("users/\(ana)")["n"].number == 2)
        await scene.close()
    }

    @Test func `an ID token that the daemon rejects is refreshed once, by requests and by listeners`() async throws {
        let scene = try await Scene.start(["INGESTD_ACCOUNTS_URL": "http://one.test"])
        let ana = try await scene.signUp("ana")
        let document = scene.documents.document("users/\(ana)")
        try await document.set(["n": 1])
        // The daemon does not know the issuer of the token any more.
        await scene.world.daemon.killHard()
        try await scene.world.restart(["INGESTD_ACCOUNTS_URL": "http://other.test"])
        #expect(try await document.get(source: .server)["n"] == 1)
        #expect(await scene.world.requests(to: "/v1/auth/token", status: 200) == 1)
        await scene.world.daemon.killHard()
        try await scene.world.restart(["INGESTD_ACCOUNTS_URL": "http://one.test"])
        let watched = Watched(document.snapshots(includeMetadataChanges: true))
        #expect(try await eventually { watched.last?.isFromCache == false })
        #expect(await scene.world.requests(to: "/v1/documents:listen", status: 401) == 1)
        #expect(await scene.world.requests(to: "/v1/auth/token", status: 200) == 1)
        await watched.stop()
        await scene.close()
    }
}
