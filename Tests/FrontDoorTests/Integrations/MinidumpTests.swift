// SPDX-License-Identifier: Apache-2.0

import Compression
import Foundation
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import CrashStore
@testable import Database
@testable import ingestd

/// Minidumps over real sockets, read by a real child process.
@Suite struct MinidumpTests {
    private static let uuid = "7fd08401-fdfb-4f35-babf-279a338aec19"

    @Test func `a form is answered with its ID, and the crash has the dump's fault and stacks`() async throws {
        try await CrashingWorld.use { world in
            let event = #"{"event_id":"7fd08401fdfb4f35babf279a338aec19","release":"shop@2.1","user":{"id":"ann"},"tags":{"plan":"pro"}}"#
            let reply = try await world.send(form: SentDump(annotation: "of Crashpad").form(("sentry", event), ("guid", "0f1e")))
            #expect(reply.status == 200 && reply.text == Self.uuid && reply.headers["content-type"]?.hasPrefix("text/plain") == true)
            let issue = try await world.issues()[0]
            #expect(issue["kind"].text == "fatal" && issue["title"].text.hasPrefix("SIGSEGV / SEGV_MAPERR"), "\(issue["title"].text)")
            let crash = try await world.crash(Self.uuid, of: issue["id"].text)
            let report = crash["report"]
            #expect(report["user_id"].text == "ann" && report["release"].text.hasSuffix("2.1"), "\(report["release"].text)")
            #expect(report["custom_keys"]["detail"].text == "of Crashpad" && report["custom_keys"]["guid"].text == "0f1e")
            #expect(report["platform"].text == "native" && report["exceptions"][0]["mechanism"]["type"].text == "minidump")
            #expect(report["images"].items.count == 2 && report["images"][0]["debug_id"].text == SymbolFixture.elf.debugID)
            let threads = report["threads"].items
            #expect(threads.map(\.["name"].text) == ["main", "worker"])
            #expect(try await world.walked(Self.uuid, of: issue["id"].text) == ["0x1191 context", "0x11a4 scan"])
            #expect(threads[0]["frames"].items.last?["registers"]["rip"].text == "0x7f0000001191")
            #expect(try await world.api.get("/metrics").text.contains(#"signalbox_minidumps_total{outcome="read"} 1"#))
        }
    }

    @Test func `a dump counts once by every way`() async throws {
        try await CrashingWorld.use { world in
            let dump = SentDump()
            let id = try await world.take(form: dump.form())
            #expect(UUID(uuidString: id) != nil && id == id.lowercased())
            #expect(try await world.take(form: dump.form()) == id)
            let zipped = try await world.send(form: gzip(dump.form()), headers: ["Content-Encoding": "gzip"])
            #expect(zipped.status == 200 && zipped.text == id)
            let plain = try await world.api.request(
                "POST", "/api/ours/minidump",
                headers: ["Content-Type": SentDump.formType, "X-Sentry-Auth": "Sentry sentry_key=\(world.ours.ingest)"], body: dump.form())
            #expect(plain.status == 200 && plain.text == id)
            let envelope = try await world.send(envelope: dump.envelope())
            #expect(envelope.status == 200 && envelope.text.contains(id.replacing("-", with: "")), "\(envelope.text)")
            #expect(try await world.issues().map(\.["count"].number) == [1])
        }
    }

    @Test func `an envelope's dump completes its event, in any order`() async throws {
        try await CrashingWorld.use { world in
            let event = #"{"level":"fatal","release":"shop@2.1","user":{"id":"ann"},"message":"the last words"}"#
            let reply = try await world.send(envelope: SentDump().envelope(event))
            #expect(reply.status == 200 && reply.text == #"{"id":"7fd08401fdfb4f35babf279a338aec19"}"#)
            let issue = try await world.issues()[0]
            let report = try await world.crash(Self.uuid, of: issue["id"].text)["report"]
            #expect(issue["kind"].text == "fatal" && report["type"].text == "SIGSEGV / SEGV_MAPERR" && report["user_id"].text == "ann")
            #expect(report["custom_keys"]["message"].text == "the last words" && report["threads"].items.count == 2)
            // An attachment of another type is none.
            #expect(try await world.send(envelope: SentDump().envelope(kind: "event.attachment")).status == 200)
            #expect(try await world.issues().count == 1)
        }
    }

    @Test func `functions that the event names are those of the dump's frames`() async throws {
        try await CrashingWorld.use { world in
            let frames =
                #"[{"instruction_addr":"0x7f00000011a4","function":"checkout"},{"instruction_addr":"0x7f0000001191","function":"_ZN4Shop3payEv"}]"#
            let event = #"{"platform":"native","exception":{"values":[{"type":"SIGSEGV","stacktrace":{"frames":\#(frames)}}]}}"#
            #expect(try await world.send(envelope: SentDump().envelope(event)).status == 200)
            // On a busy machine the background reads the names.
            #expect(try await eventually { try await world.issues()[0]["culprit"].text.hasPrefix("Shop::pay") })
            let issue = try await world.issues()[0]
            let shown = try await world.crash(Self.uuid, of: issue["id"].text)["report"]["threads"][0]["frames"].items
            #expect(shown.map(\.["function"].text) == ["checkout", "Shop::pay()"] && shown.map(\.["trust"].text) == ["scan", "context"])
        }
    }

    @Test func `administrators download the dump of a crash`() async throws {
        try await CrashingWorld.use { world in
            let dump = SentDump()
            let id = try await world.take(form: dump.form())
            let issue = try await world.issues()[0]["id"].text
            let other = try await world.take(SentCrash("plain"))
            func get(_ event: String, of issue: String, as key: String? = nil) async throws -> Reply {
                try await world.api.get("/v1/issues/\(issue)/events/\(event)/minidump", key: key ?? world.ours.admin)
            }
            let reply = try await get(id, of: issue)
            #expect(reply.status == 200 && reply.body == dump.bytes && reply.headers["content-type"] == "application/octet-stream")
            #expect(reply.headers["content-disposition"] == "attachment; filename*=UTF-8''\(id).dmp")
            #expect(try await get(id, of: issue, as: world.ours.read).status == 403)
            for (event, issue) in [("plain", other), (id, other), ("plain", issue), ("nothing", issue), (id, "nothing")] {
                #expect(try await get(event, of: issue).status == 404, "\(event) of \(issue)")
            }
            #expect(try await get(id, of: issue, as: world.theirs.admin).status == 404)
        }
    }

    @Test func `other files of a form become attachments of the crash`() async throws {
        try await CrashingWorld.use { world in
            let file = "--b-\r\nContent-Disposition: form-data; name=\"log\"; filename=\"shop.log\"\r\n\r\nlast line\r\n"
            let id = try await world.take(form: Array(file.utf8) + SentDump().form())
            let issue = try await world.issues()[0]["id"].text
            let files = try await world.crash(id, of: issue)["attachments"].items
            #expect(files.map(\.["name"].text) == ["shop.log"] && files[0]["size"].number == 9)
        }
    }

    @Test func `equal faults are one issue, different ones are not`() async throws {
        try await CrashingWorld.use { world in
            for annotation in ["a", "b", "c"] { _ = try await world.take(form: SentDump(annotation: annotation).form()) }
            _ = try await world.take(form: SentDump(at: 0x1150, annotation: "d").form())
            _ = try await world.take(form: SentDump(code: 8, annotation: "e").form())
            let counts = try await world.issues().map(\.["count"].number)
            #expect(counts.sorted() == [1, 1, 3])
        }
    }

    // MARK: Refusals

    @Test func `a wrong key is refused before the body is read`() async throws {
        try await CrashingWorld.use { world in
            let body = SentDump().form()
            for key in ["nonsense", world.ours.read, world.theirs.ingest] {
                let reply = try await world.send(form: body, key: key)
                #expect(try reply.status == 403 && !JSON(reply)["detail"].text.isEmpty, "\(key)")
            }
            // Only the head is sent.
            let connection = try world.api.connect()
            try await connection.send(
                Array(
                    "POST /api/1/minidump/?sentry_key=x HTTP/1.1\r\nHost: a\r\nContent-Type: \(SentDump.formType)\r\nContent-Length: 9000000\r\n\r\n"
                        .utf8))
            #expect(try await connection.head().status == 403)
            #expect(try await world.issues().isEmpty)
        }
    }

    @Test func `too large a request is refused, sent and decompressed`() async throws {
        try await CrashingWorld.use { world in
            let (fitting, large) = (SentDump(padding: 12 << 20), SentDump(padding: 17 << 20))
            let taken = try await world.send(form: fitting.form())
            #expect(taken.status == 200)
            #expect(try await world.send(form: large.form()).status == 413)
            let zipped = gzip(large.form())
            #expect(try await world.send(form: zipped, headers: ["Content-Encoding": "gzip"]).status == 413)
            // The limit of an envelope is that of all requests.
            #expect(try await world.send(envelope: large.envelope()).status == 413)
            #expect(try await world.issues().map(\.["count"].number) == [1])
        }
    }

    @Test func `malformed forms are refused`() async throws {
        try await CrashingWorld.use { world in
            let whole = SentDump().form()
            for (body, type) in [
                (Array(whole.dropLast(20)), SentDump.formType), (whole, "multipart/form-data"), (whole, "multipart/form-data; boundary=c"),
                ([], SentDump.formType), (Array("--b---\r\n".utf8), SentDump.formType), (whole, "application/json"),
            ] as [([UInt8], String)] {
                let reply = try await world.send(form: body, headers: ["Content-Type": type])
                #expect([400, 415].contains(reply.status), "\(type) \(reply.status)")
                #expect(try !JSON(reply)["detail"].text.isEmpty)
            }
            #expect(try await world.issues().isEmpty)
        }
    }

    // MARK: Dumps that cannot be read

    @Test func `a dump that cannot be read is a crash that says why`() async throws {
        try await CrashingWorld.use { world in
            let whole = SentDump().bytes
            for (bytes, reason) in [
                (Array("no dump".utf8), "it is not a minidump"), (Array(whole.prefix(30)), "it is truncated"),
                (Array(whole.prefix(200)), "it does not name the system it is from"),
            ] {
                let id = try await world.take(form: SentDump(bytes: bytes).form(("sentry[user][id]", "ann")))
                let issue = try #require(try await world.issues("?sort=last_seen").first { $0["title"].text.contains(reason) })
                #expect(issue["title"].text.hasPrefix("Minidump that cannot be read") && issue["kind"].text == "fatal")
                #expect(try await world.crash(id, of: issue["id"].text)["report"]["user_id"].text == "ann")
            }
            #expect(try await world.api.get("/metrics").text.contains(#"signalbox_minidumps_total{outcome="invalid"} 3"#))
        }
    }

    @Test func `a killed reader is started again`() async throws {
        try await CrashingWorld.use { world in
            for round in 0..<5 {
                _ = try await world.take(form: SentDump(annotation: "\(round)").form())
                let process = try #require(world.live.daemon.minidumps.intake.process)
                kill(process, SIGKILL)
            }
            let issues = try await world.issues()
            #expect(issues.map(\.["count"].number) == [5] && issues[0]["title"].text.hasPrefix("SIGSEGV"))
        }
    }

    @Test func `a reader that cannot start delays the dump, not the response`() async throws {
        let folder = TemporaryFolder()
        try await CrashingWorld.use(in: folder) { world in
            world.live.daemon.minidumps.intake.stop()
            let id = try await world.take(form: SentDump().form())
            // The background has a reader of its own, which reads the dump from the store.
            let isRead = try await eventually { try await world.issues().first?["title"].text.hasPrefix("SIGSEGV") == true }
            #expect(isRead, "\(world.live.log.text.suffix(500))")
            let issue = try await world.issues()[0]["id"].text
            #expect(try await world.walked(id, of: issue) == ["0x1191 context", "0x11a4 scan"])
            #expect(try await world.api.get("/metrics").text.contains(#"signalbox_minidumps_total{outcome="pending"} 1"#))
        }
    }

    @Test func `a reader that hangs delays no request for long, and duplicates do not reach it`() async throws {
        try await CrashingWorld.use { world in
            let first = SentDump(annotation: "0")
            let id = try await world.take(form: first.form())
            let process = try #require(world.live.daemon.minidumps.intake.process)
            kill(process, SIGSTOP)
            // Each would wait for its own turn at the reader, and the last one for all of them.
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for round in 1...8 { group.addTask { _ = try await world.take(form: SentDump(annotation: "\(round)").form()) } }
                group.addTask {
                    let again = try await world.take(form: first.form())
                    #expect(again == id)
                }
                try await group.waitForAll()
            }
            #expect(ContinuousClock.now - start < .seconds(20))
            let metrics = try await world.api.get("/metrics").text
            // Those that come after the reader was replaced may be read at once.
            #expect(!metrics.contains(#"signalbox_minidumps_total{outcome="pending"} 0"#))
            #expect(metrics.contains("signalbox_crashes_duplicate_total 1"))
            // The background has a reader of its own.
            let isRead = try await eventually {
                let issues = try await world.issues()
                return issues.map(\.["count"].number) == [9] && issues[0]["title"].text.hasPrefix("SIGSEGV")
            }
            #expect(isRead, "\(world.live.log.text.suffix(500))")
        }
    }

    @Test func `a dump that its reader does not survive is tried again in the background`() async throws {
        try await CrashingWorld.use { world in
            _ = try await world.take(form: SentDump(annotation: "0").form())
            let process = try #require(world.live.daemon.minidumps.intake.process)
            kill(process, SIGSTOP)
            let id = try await world.take(form: SentDump(annotation: "1").form())
            let isRead = try await eventually { try await world.issues().map(\.["count"].number) == [2] }
            #expect(isRead)
            let issue = try await world.issues()[0]["id"].text
            #expect(try await world.walked(id, of: issue) == ["0x1191 context", "0x11a4 scan"])
            // The hanging child was replaced.
            let next = try await world.take(form: SentDump(annotation: "2").form())
            #expect(try await world.walked(next, of: issue) == ["0x1191 context", "0x11a4 scan"])
        }
    }

    @Test func `files of dumps are removed`() async throws {
        try await CrashingWorld.use { world in
            for round in 0..<3 { _ = try await world.take(form: SentDump(annotation: "\(round)").form()) }
            let paths = world.live.daemon.store.paths
            let folders = try Folder.names(in: paths.uploads + "/minidumps").compactMap { Int64($0) }
            #expect(try folders.count == 1 && folders.allSatisfy { try Folder.names(in: paths.minidumps(of: $0)).isEmpty })
        }
    }

    // MARK: Persons and apps

    @Test func `an erasure removes the dump of the person whom the form names`() async throws {
        try await CrashingWorld.use { world in
            let ann = SentDump(annotation: "annsecret")
            _ = try await world.take(form: ann.form(("sentry[user][id]", "ann")))
            _ = try await world.take(form: SentDump(annotation: "bob").form(("sentry[user][id]", "bob")))
            let export = try await world.api.get("/v1/users/ann/export", key: world.ours.admin)
            let dumps = try JSON(export)["minidumps"].items
            #expect(export.text.contains("annsecret") && dumps.count == 1 && dumps[0]["content"].text == Data(ann.bytes).base64EncodedString())
            let erased = try await world.api.request("DELETE", "/v1/users/ann", key: world.ours.admin)
            #expect(try JSON(erased)["crashes"].number == 1)
            #expect(try await world.issues().map(\.["count"].number) == [1])
            #expect(try await world.storedDumps() == 1)
            #expect(try await world.api.request("POST", "/v1/users/bob/anonymise", key: world.ours.admin).status == 200)
            #expect(try await world.storedDumps() == 0)
            #expect(try await world.issues().map(\.["count"].number) == [1])
        }
    }

    @Test func `a deleted app's dumps are removed`() async throws {
        try await CrashingWorld.use { world in
            _ = try await world.take(form: SentDump().form())
            #expect(try await world.storedDumps() == 1)
            #expect(try await world.api.asOperator("DELETE", "/v1/apps/\(world.ours.app)").status == 204)
            let isGone = try await eventually { try await world.storedDumps() == 0 }
            #expect(isGone)
        }
    }
}

extension CrashingWorld {
    fileprivate func storedDumps() async throws -> Int {
        try await live.daemon.store.crashes.read { try $0.uncached("SELECT COUNT(*) FROM minidumps").first { $0.int(0) } ?? 0 }
    }
}
