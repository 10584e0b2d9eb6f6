// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Uploads by each protocol, during which the daemon is killed before one of the calls that change a file, another call each time.
///
/// The client goes on, or begins anew, until the upload is acknowledged. Acknowledged files are whole, and no file on the disk is without a
/// row. Paths come again, so that uploads also replace files.
@Suite struct UploadKillTests {
    private static let uploads = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_UPLOADS"].flatMap(Int.init)
    private static let settings = ["INGESTD_FILES_RESERVE": "0"]
    private static let paths = 20

    enum Way: CaseIterable {
        case small, large, tus, firebase, google
    }

    /// An upload as its client knows it.
    private struct Upload {
        let way: Way
        let path: String
        let bytes: [UInt8]
        let key: String
        /// The address of its further requests.
        var target: String?

        init(_ way: Way, _ round: Int, _ key: String) {
            (self.way, path, self.key) = (way, "kept/\(round % UploadKillTests.paths)", key)
            let size = way == .small ? 5_000 : 60_000
            bytes = someBytes(size + round, seed: round &* 7)
        }

        /// Goes on from what the daemon has. Returns whether the file is acknowledged.
        mutating func goOn(_ api: TestClient) async -> Bool {
            switch way {
            case .small, .large: return await send(api, "PUT", "/v1/files/1/\(path)", body: bytes).map { $0.status < 300 } ?? false
            case .tus: return await tus(api)
            case .firebase: return await firebase(api)
            case .google: return await google(api)
            }
        }

        /// Returns nil if the connection breaks.
        private func send(
            _ api: TestClient, _ method: String, _ target: String, _ headers: [String: String] = [:], body: [UInt8] = []
        ) async -> Reply? {
            try? await api.request(method, target, key: key, headers: headers, body: body)
        }

        /// The pieces of the rest: two of them, of which the last may be empty.
        private func pieces(from offset: Int) -> [Range<Int>] {
            offset < 35_000 ? [offset..<35_000, 35_000..<bytes.count] : [offset..<bytes.count]
        }

        private mutating func tus(_ api: TestClient) async -> Bool {
            let version = ["Tus-Resumable": "1.0.0"]
            if target == nil {
                let metadata = ["Upload-Length": "\(bytes.count)", "Upload-Metadata": "path \(Base64.encode(Array(path.utf8)))"]
                target = await send(api, "POST", "/v1/uploads/1", version.merging(metadata) { $1 })?.headers["location"]
            }
            guard let target, let head = await send(api, "HEAD", target, version) else { return false }
            guard let offset = head.headers["upload-offset"].flatMap(Int.init) else {
                // It may have become a file whose acknowledgement was lost.
                self.target = nil
                return false
            }
            for piece in pieces(from: offset) where !piece.isEmpty {
                let place = ["Upload-Offset": "\(piece.lowerBound)", "Content-Type": "application/offset+octet-stream"]
                let reply = await send(api, "PATCH", target, version.merging(place) { $1 }, body: Array(bytes[piece]))
                guard reply?.status == 204 else { return false }
            }
            return true
        }

        private mutating func firebase(_ api: TestClient) async -> Bool {
            if target == nil {
                let start = ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"]
                let reply = await send(api, "POST", "/v0/b/1/o?name=\(path.percentEncoded)", start)
                target = reply?.headers["x-goog-upload-url"].flatMap(UploadKillTests.path(of:))
            }
            guard let target, let state = await send(api, "POST", target, ["X-Goog-Upload-Command": "query"]) else { return false }
            if state.status == 200, state.headers["x-goog-upload-status"] == "final" { return true }
            guard let offset = state.headers["x-goog-upload-size-received"].flatMap(Int.init) else {
                self.target = nil
                return false
            }
            for piece in pieces(from: offset) {
                let command = piece.upperBound == bytes.count ? "upload, finalize" : "upload"
                let fields = ["X-Goog-Upload-Command": command, "X-Goog-Upload-Offset": "\(piece.lowerBound)"]
                guard await send(api, "POST", target, fields, body: Array(bytes[piece]))?.status == 200 else { return false }
            }
            return true
        }

        private mutating func google(_ api: TestClient) async -> Bool {
            if target == nil {
                let reply = await send(
                    api, "POST", "/upload/storage/v1/b/1/o?uploadType=resumable", ["Content-Type": "application/json"],
                    body: Array(#"{"name": "\#(path)"}"#.utf8))
                target = reply?.headers["location"].flatMap(UploadKillTests.path(of:))
            }
            guard let target, let state = await send(api, "PUT", target, ["Content-Range": "bytes */*"]) else { return false }
            if state.status == 200 { return true }
            guard state.status == 308 else {
                self.target = nil
                return false
            }
            let offset = state.headers["range"].flatMap { $0.split(separator: "-").last.flatMap { Int($0) } }.map { $0 + 1 } ?? 0
            for piece in pieces(from: offset) {
                let isLast = piece.upperBound == bytes.count
                let range = piece.isEmpty ? "*" : "\(piece.lowerBound)-\(piece.upperBound - 1)"
                var fields = ["Content-Range": "bytes \(range)/\(isLast ? "\(bytes.count)" : "*")"]
                if isLast { fields["X-Goog-Hash"] = "md5=\(Base64.encode(MD5.hash(bytes)))" }
                guard await send(api, "PUT", target, fields, body: Array(bytes[piece]))?.status == (isLast ? 200 : 308) else { return false }
            }
            return true
        }
    }

    /// The path and query of a URL.
    private static func path(of url: String) -> String? {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        return parts.count == 3 ? "/\(parts[2])" : nil
    }

    @Test(arguments: Way.allCases)
    func `uploads that are killed at any call are whole once acknowledged, and leave nothing`(way: Way) async throws {
        let folder = TemporaryFolder()
        let (shim, data) = (FaultShim(watching: folder.path), folder.path + "/data")
        let environment = shim.environment.merging(Self.settings) { $1 }
        var daemon = try await DaemonProcess.start(in: data, environment: environment)
        let key = try await daemon.api.makeApp().admin
        var (kept, calls, kills): ([String: [UInt8]], Int, Int) = ([:], 1, 0)
        let rounds = Self.uploads.map { $0 / Way.allCases.count } ?? 4
        for round in 0..<rounds {
            var upload = Upload(way, round, key)
            // The first one counts the calls. Few rounds are spread over all of them.
            shim.kill(at: round == 0 ? .max : Self.uploads == nil ? 1 + calls * (round - 1) / rounds : 1 + (round - 1) % calls)
            var isAcknowledged = false
            for _ in 0..<6 where !isAcknowledged {
                isAcknowledged = await upload.goOn(daemon.api)
                if isAcknowledged { break }
                kills += 1
                shim.heal()
                await daemon.killHard()
                daemon = try await DaemonProcess.start(in: data, environment: environment)
            }
            if round == 0 { calls = shim.calls }
            shim.heal()
            #expect(isAcknowledged, "\(way), upload \(round)")
            kept[upload.path] = upload.bytes
            let got = try? await daemon.api.get("/v1/files/1/\(upload.path)", key: key)
            // The daemon may be killed after it acknowledged.
            if let got { #expect(got.status == 200 && got.body == upload.bytes, "\(way), upload \(round)") }
        }
        #expect(calls >= 3 && kills > 0, "\(way): \(kills) kills at \(calls) calls")
        await daemon.killHard()
        daemon = try await DaemonProcess.start(in: data, environment: Self.settings)
        try await Self.expectWhole(data, daemon.api, key, kept, "\(way), \(kills) kills at \(calls) calls")
        #expect(await daemon.stop() == 0)
    }

    /// A failed write must leave no hole: what a client is told to be there is there, and it goes on from that.
    @Test(arguments: [Way.tus, .firebase, .google], [ENOSPC, EIO])
    func `uploads go on after a failing call and are whole once acknowledged`(way: Way, error: Int32) async throws {
        let folder = TemporaryFolder()
        let (shim, data) = (FaultShim(watching: folder.path), folder.path + "/data")
        let environment = shim.environment.merging(Self.settings) { $1 }
        var daemon = try await DaemonProcess.start(in: data, environment: environment)
        let key = try await daemon.api.makeApp().admin
        var (kept, calls, failed): ([String: [UInt8]], Int, Int) = ([:], 1, 0)
        let rounds = Self.uploads == nil ? 5 : 40
        for round in 0..<rounds {
            var upload = Upload(way, round, key)
            // The first round counts the calls, over which the failures of the others are spread.
            if round == 0 { shim.kill(at: .max) } else { shim.fail(error, from: 1 + calls * (round - 1) / (rounds - 1), failures: 1) }
            var isAcknowledged = false
            for _ in 0..<6 where !isAcknowledged { isAcknowledged = await upload.goOn(daemon.api) }
            if round == 0 { calls = shim.calls }
            failed += shim.failed
            shim.heal()
            // A daemon whose log of changes failed stops itself.
            if !isAcknowledged {
                await daemon.killHard()
                daemon = try await DaemonProcess.start(in: data, environment: environment)
                for _ in 0..<2 where !isAcknowledged { isAcknowledged = await upload.goOn(daemon.api) }
            }
            #expect(isAcknowledged, "\(way), upload \(round), \(String(describing: shim.failedCall))")
            kept[upload.path] = upload.bytes
            let got = try await daemon.api.get("/v1/files/1/\(upload.path)", key: key)
            #expect(got.status == 200 && got.body == upload.bytes, "\(way), upload \(round), \(String(describing: shim.failedCall))")
        }
        #expect(failed > 0, "\(way): \(calls) calls")
        let check = try await daemon.api.get("/v1/files:check?deep=1", key: key)
        #expect(try JSON(check)["items"].items.isEmpty, "\(check.text)")
        #expect(await daemon.stop() == 0)
    }

    private static func expectWhole(_ data: String, _ api: TestClient, _ key: String, _ kept: [String: [UInt8]], _ comment: String) async throws {
        let items = try JSON(await api.get("/v1/files/1?limit=1000", key: key))["items"].items
        #expect(Set(items.map { $0["path"].text }) == Set(kept.keys), "\(comment)")
        for (path, bytes) in kept {
            let got = try await api.get("/v1/files/1/\(path)", key: key)
            #expect(got.status == 200 && got.body == bytes, "\(comment) \(path)")
        }
        let onDisk = kept.values.count { $0.count > UploadState.inlineBytes }
        let isClean = try await eventually(within: .seconds(20)) {
            let folders = try Folder.names(in: data + "/files").flatMap { app in
                try Folder.names(in: "\(data)/files/\(app)").flatMap { try Folder.names(in: "\(data)/files/\(app)/\($0)") }
            }
            return try folders.count == onDisk && Folder.names(in: data + "/incoming").isEmpty
        }
        #expect(isClean, "\(comment)")
    }
}
