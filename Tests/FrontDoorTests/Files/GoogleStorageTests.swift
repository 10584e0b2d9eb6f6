// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// The requests of Google's clients for files on servers, as google-cloud-storage writes them.
@Suite struct GoogleStorageTests {
    struct Bucket: Sendable {
        let live: LiveDaemon
        let keys: AppKeys
        var key: String?

        func send(_ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil) async throws -> Reply {
            try await live.api.request(method, target, key: key ?? keys.admin, headers: headers, body: body)
        }

        /// A request about the file of a name, with a query.
        func object(
            _ method: String, _ name: String, _ query: String = "", base: String = "/storage/v1", _ json: String? = nil
        ) async throws -> Reply {
            let headers = json == nil ? [:] : ["Content-Type": "application/json"]
            let target = "\(base)/b/\(keys.app)/o/\(name.percentEncoded)\(query)"
            return try await send(method, target, headers: headers, body: json.map { Array($0.utf8) })
        }

        func upload(_ query: String, _ headers: [String: String] = [:], _ body: [UInt8] = []) async throws -> Reply {
            try await send("POST", "/upload/storage/v1/b/\(keys.app)/o?\(query)", headers: headers, body: body)
        }

        /// Stores a file in one request and returns its description.
        func put(_ name: String, _ bytes: [UInt8], _ query: String = "") async throws -> JSON {
            let reply = try await upload("uploadType=media&name=\(name.percentEncoded)\(query)", ["Content-Type": "image/png"], bytes)
            #expect(reply.status == 200, "\(reply.text)")
            return try JSON(reply)
        }

        /// Begins an upload and returns the path of its URL.
        func start(_ metadata: String, _ query: String = "", _ headers: [String: String] = [:]) async throws -> String {
            let reply = try await upload(
                "uploadType=resumable\(query)", headers.merging(["Content-Type": "application/json"]) { $1 }, Array(metadata.utf8))
            #expect(reply.status == 200 && reply.body.isEmpty, "\(reply)")
            let url = try #require(reply.headers["location"])
            return "/" + url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst(2).joined()
        }

        func piece(_ target: String, _ range: String, _ body: [UInt8] = [], _ headers: [String: String] = [:]) async throws -> Reply {
            try await send("PUT", target, headers: headers.merging(["Content-Range": "bytes \(range)"]) { $1 }, body: body)
        }

        func list(_ query: String) async throws -> (names: [String], prefixes: [String], next: String?) {
            let reply = try await send("GET", "/storage/v1/b/\(keys.app)/o?\(query)")
            #expect(reply.status == 200, "\(reply.text)")
            let page = try JSON(reply)
            let next = page["nextPageToken"].exists ? page["nextPageToken"].text : nil
            return (page["items"].items.map { $0["name"].text }, page["prefixes"].items.map(\.text), next)
        }
    }

    static func use(_ tokens: DownloadTokens = .expiring, _ body: @Sendable (Bucket) async throws -> Void) async throws {
        try await withDaemon(
            configure: {
                $0.store.files.reserveBytes = 0
                $0.store.files.downloadTokens = tokens
            }
        ) { live in try await body(Bucket(live: live, keys: try await live.api.makeApp())) }
    }

    private static func crc32c(_ bytes: [UInt8]) -> String { Base64.encode(FileSums(of: bytes).crc32cBytes) }

    /// The status and reason of an error.
    private static func error(_ reply: Reply) throws -> String {
        let error = try JSON(reply)["error"]
        #expect(Int(error["code"].number) == reply.status && !error["message"].text.isEmpty, "\(reply.text)")
        return "\(reply.status) \(error["errors"][0]["reason"].text)"
    }

    // MARK: Files

    @Test(arguments: ["/storage/v1", ""])
    func `a file is described, read, changed and deleted by both paths`(base: String) async throws {
        try await Self.use { bucket in
            let (name, bytes) = ("users/ann/a b.png", someBytes(20_000))
            #expect(try JSON(await bucket.send("GET", "\(base)/b/\(bucket.keys.app)"))["kind"].text == "storage#bucket")
            let made = try await bucket.put(name, bytes)
            #expect(made["kind"].text == "storage#object" && made["size"].text == "20000" && made["crc32c"].text == Self.crc32c(bytes))
            let described = try await bucket.object("GET", name, "?projection=noAcl&prettyPrint=false", base: base)
            #expect(try described.status == 200 && JSON(described)["generation"].text == made["generation"].text)
            let media = try await bucket.object("GET", name, "?alt=media", base: base)
            #expect(media.body == bytes && media.headers["x-goog-hash"] == "crc32c=\(Self.crc32c(bytes))")
            #expect(media.headers["x-goog-generation"] == made["generation"].text && media.headers["x-goog-stored-content-length"] == "20000")
            let target = "/download/storage/v1/b/\(bucket.keys.app)/o/\(name.percentEncoded)?alt=media"
            let part = try await bucket.send("GET", target, headers: ["Range": "bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(bytes[10..<20]) && part.headers["content-range"] == "bytes 10-19/20000")
            #expect(try await bucket.send("GET", target + "&generation=\(made["generation"].text)").body == bytes)
            #expect(try await bucket.send("GET", target + "&generation=1").status == 404)
            let changed = try await bucket.object("PATCH", name, base: base, #"{"contentType": "image/webp", "metadata": {"a": "1", "b": "2"}}"#)
            #expect(try changed.status == 200 && JSON(changed)["metageneration"].text == "2" && JSON(changed)["metadata"]["a"].text == "1")
            let merged = try await bucket.object("PATCH", name, base: base, #"{"metadata": {"a": null, "c": "3"}}"#)
            #expect(try JSON(merged)["metadata"].names == ["b", "c"] && JSON(merged)["contentType"].text == "image/webp")
            let replaced = try await bucket.object("PUT", name, base: base, #"{"metadata": {"d": "4"}, "cacheControl": "no-store"}"#)
            #expect(try JSON(replaced)["metadata"].names == ["d"] && JSON(replaced)["contentType"].text == FileDetails.unknownType)
            #expect(try await bucket.object("DELETE", name, base: base).status == 204)
            #expect(try Self.error(await bucket.object("GET", name, base: base)) == "404 notFound")
            #expect(try Self.error(await bucket.object("DELETE", name, base: base)) == "404 notFound")
        }
    }

    @Test func `preconditions hold for reads, changes and uploads`() async throws {
        try await Self.use { bucket in
            let first = try await bucket.put("a", [1], "&ifGenerationMatch=0")["generation"].text
            let query = "uploadType=media&name=a"
            for condition in ["ifGenerationMatch=0", "ifGenerationMatch=1", "ifGenerationNotMatch=\(first)", "ifMetagenerationMatch=2"] {
                #expect(try Self.error(await bucket.upload("\(query)&\(condition)", [:], [2])) == "412 conditionNotMet", "\(condition)")
                for method in ["PATCH", "PUT"] {
                    #expect(try Self.error(await bucket.object(method, "a", "?\(condition)", "{}")) == "412 conditionNotMet", "\(condition)")
                }
                #expect(try Self.error(await bucket.object("DELETE", "a", "?\(condition)")) == "412 conditionNotMet", "\(condition)")
                let read = try await bucket.object("GET", "a", "?\(condition)")
                #expect(read.status == (condition.contains("NotMatch") ? 304 : 412), "\(condition)")
            }
            #expect(try Self.error(await bucket.object("GET", "none", "?ifGenerationMatch=1")) == "404 notFound")
            #expect(try Self.error(await bucket.object("DELETE", "a", "?generation=1")) == "404 notFound")
            #expect(try Self.error(await bucket.object("GET", "a", "?ifGenerationMatch=x")) == "400 invalid")
            #expect(try await bucket.object("PATCH", "a", "?ifMetagenerationMatch=1&generation=\(first)", #"{"metadata": {"k": "v"}}"#).status == 200)
            #expect(try await bucket.object("PATCH", "a", "?ifMetagenerationMatch=1", "{}").status == 412)
            #expect(try await bucket.object("GET", "a", "?alt=media&ifMetagenerationMatch=2&ifGenerationNotMatch=1").body == [1])
            let second = try await bucket.put("a", [2], "&ifGenerationMatch=\(first)&ifMetagenerationMatch=2")["generation"].text
            #expect(try await bucket.object("DELETE", "a", "?ifGenerationMatch=\(second)").status == 204)
            // The state at the end of an upload decides.
            let target = try await bucket.start(#"{"name": "a"}"#, "&ifGenerationMatch=0")
            _ = try await bucket.put("a", [3])
            #expect(try Self.error(await bucket.piece(target, "0-0/1", [4])) == "412 conditionNotMet")
            #expect(try await bucket.object("GET", "a", "?alt=media").body == [3])
            // Also if the client drops the condition from the URL.
            let plain = try await bucket.start(#"{"name": "b"}"#, "&ifGenerationMatch=0").replacing("&ifGenerationMatch=0", with: "")
            _ = try await bucket.put("b", [3])
            #expect(try Self.error(await bucket.piece(plain, "0-0/1", [4])) == "412 conditionNotMet")
            #expect(try await bucket.object("GET", "b", "?alt=media").body == [3])
        }
    }

    @Test func `a copy has the bytes and details of the file, or its own details`() async throws {
        try await Self.use { bucket in
            let bytes = someBytes(30_000)
            let made = try await bucket.put("a/1", bytes)
            #expect(try await bucket.object("PATCH", "a/1", "", #"{"metadata": {"k": "v"}}"#).status == 200)
            func to(_ name: String) -> String { "b/\(bucket.keys.app)/o/\(name.percentEncoded)" }
            func copy(_ how: String, _ name: String, _ query: String = "", _ json: String? = nil) async throws -> Reply {
                let target = "/storage/v1/b/\(bucket.keys.app)/o/\("a/1".percentEncoded)/\(how)/\(to(name))\(query)"
                return try await bucket.send("POST", target, headers: ["Content-Type": "application/json"], body: Array((json ?? "").utf8))
            }
            let rewritten = try JSON(await copy("rewriteTo", "b/2", "?ifGenerationMatch=0&sourceGeneration=\(made["generation"].text)", "{}"))
            #expect(rewritten["done"].bool && rewritten["objectSize"].text == "30000" && rewritten["resource"]["name"].text == "b/2")
            #expect(rewritten["resource"]["metadata"]["k"].text == "v" && rewritten["resource"]["contentType"].text == "image/png")
            let own = try JSON(await copy("copyTo", "b/3", "", #"{"contentType": "text/plain", "metadata": {"x": "y"}}"#))
            #expect(own["name"].text == "b/3" && own["contentType"].text == "text/plain" && own["metadata"].names == ["x"])
            #expect(try await bucket.object("GET", "b/3", "?alt=media").body == bytes)
            #expect(try Self.error(await copy("rewriteTo", "b/2", "?ifGenerationMatch=0")) == "412 conditionNotMet")
            #expect(try Self.error(await copy("rewriteTo", "b/4", "?ifSourceMetagenerationMatch=1")) == "412 conditionNotMet")
            #expect(try Self.error(await copy("rewriteTo", "b/4", "?sourceGeneration=1")) == "404 notFound")
            #expect(try Self.error(await copy("rewriteTo", "../b")) == "400 invalid")
            let other = try await bucket.live.api.makeApp("other")
            let across = "/b/\(bucket.keys.app)/o/a%2F1/rewriteTo/b/\(other.app)/o/x"
            #expect(try Self.error(await bucket.send("POST", across)) == "404 notFound")
        }
    }

    @Test func `lists have folders, offsets, patterns and pages`() async throws {
        try await Self.use { bucket in
            for name in ["a/1.png", "a/2.txt", "a/x/3.png", "b/4.png", "c.png"] { _ = try await bucket.put(name, [1]) }
            let folder = try await bucket.list("prefix=a/&delimiter=/&fields=items(name)")
            #expect(folder.names == ["a/1.png", "a/2.txt"] && folder.prefixes == ["a/x/"] && folder.next == nil)
            #expect(try await bucket.list("startOffset=a/2.txt&endOffset=b/4.png").names == ["a/2.txt", "a/x/3.png"])
            #expect(try await bucket.list("prefix=b&startOffset=a").names == ["b/4.png"])
            #expect(try await bucket.list("matchGlob=a/*.png").names == ["a/1.png"])
            #expect(try await bucket.list("matchGlob=\("**.png".percentEncoded)").names == ["a/1.png", "a/x/3.png", "b/4.png", "c.png"])
            let some = try await bucket.list("delimiter=/&matchGlob=\("{a/,c.*}".percentEncoded)")
            #expect(some.names == ["c.png"] && some.prefixes == ["a/"])
            var (names, next): ([String], String?) = ([], "")
            while let token = next {
                let page = try await bucket.list(
                    "maxResults=2&matchGlob=\("**.png".percentEncoded)" + (token.isEmpty ? "" : "&pageToken=\(token.percentEncoded)"))
                names += page.names
                next = page.next
            }
            #expect(names == ["a/1.png", "a/x/3.png", "b/4.png", "c.png"])
            #expect(try Self.error(await bucket.send("GET", "/b/\(bucket.keys.app)/o?matchGlob=[")) == "400 invalid")
        }
    }

    // MARK: Uploads

    @Test func `metadata before the bytes names the file and its checksum`() async throws {
        try await Self.use { bucket in
            let bytes = someBytes(100_000)
            func put(_ metadata: String, _ query: String = "") async throws -> Reply {
                let head = "--==b==\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n\(metadata)\r\n--==b==\r\ncontent-type: image/png\r\n\r\n"
                let body = Array(head.utf8) + bytes + Array("\r\n--==b==--".utf8)
                return try await bucket.upload("uploadType=multipart\(query)", ["Content-Type": "multipart/related; boundary=\"==b==\""], body)
            }
            let made = try await put(#"{"name": "m/1", "crc32c": "\#(Self.crc32c(bytes))", "metadata": {"k": "v"}}"#, "&ifGenerationMatch=0")
            #expect(try made.status == 200 && JSON(made)["md5Hash"].text == Base64.encode(MD5.hash(bytes)), "\(made.text)")
            #expect(try await put(#"{"name": "m/1"}"#, "&ifGenerationMatch=0").status == 412)
            #expect(try Self.error(await put(#"{"name": "m/2", "crc32c": "AAAAAA=="}"#)) == "400 invalid")
            #expect(try await bucket.object("GET", "m/2").status == 404)
            #expect(try await bucket.object("GET", "m/1", "?alt=media").body == bytes)
        }
    }

    @Test func `gsutil names the boundary between apostrophes`() async throws {
        try await Self.use { bucket in
            let (bytes, boundary) = (someBytes(20_000), "===============5306283246520420113==")
            let json = "--\(boundary)\nContent-Type: application/json\nMIME-Version: 1.0\n\n{\"name\": \"m/gsutil\"}\n"
            let file = "--\(boundary)\nContent-Type: image/png\nMIME-Version: 1.0\nContent-Transfer-Encoding: binary\n\n"
            let body = Array((json + file).utf8) + bytes + Array("\n--\(boundary)--\n".utf8)
            let put = try await bucket.upload("uploadType=multipart", ["Content-Type": "multipart/related; boundary='\(boundary)'"], body)
            #expect(put.status == 200, "\(put.text)")
            #expect(try await bucket.object("GET", "m/gsutil", "?alt=media").body == bytes)
        }
    }

    @Test func `an upload in pieces says how far it is, and its end may be repeated`() async throws {
        try await Self.use { bucket in
            let bytes = someBytes(300_001)
            let target = try await bucket.start(#"{"name": "r/1", "metadata": {"k": "v"}}"#, "", ["X-Upload-Content-Type": "image/webp"])
            let none = try await bucket.piece(target, "*/*")
            #expect(none.status == 308 && none.headers["range"] == nil)
            let first = try await bucket.piece(target, "0-262143/*", Array(bytes[..<262_144]))
            #expect(first.status == 308 && first.headers["range"] == "bytes=0-262143" && first.body.isEmpty)
            let asked = try await bucket.piece(target, "*/300001", [], ["X-Guploader-No-308": "yes"])
            #expect(asked.status == 200 && asked.headers["x-http-status-code-override"] == "308" && asked.headers["range"] == "bytes=0-262143")
            #expect(try Self.error(await bucket.piece(target, "262145-300000/300001", Array(bytes[262_145...]))) == "409 conflict")
            #expect(try Self.error(await bucket.piece(target, "262144-300000/300001", [1])) == "400 invalid")
            // What came before is skipped.
            let rest = Array(bytes[200_000...])
            let sums = ["X-Goog-Hash": "crc32c=\(Self.crc32c(bytes)),md5=\(Base64.encode(MD5.hash(bytes)))"]
            let last = try await bucket.piece(target, "200000-300000/300001", rest, sums)
            #expect(try last.status == 200 && JSON(last)["size"].text == "300001" && JSON(last)["contentType"].text == "image/webp", "\(last.text)")
            #expect(try JSON(last)["metadata"]["k"].text == "v" && JSON(last)["md5Hash"].text == Base64.encode(MD5.hash(bytes)))
            for range in ["200000-300000/300001", "*/300001", "*/*"] {
                let again = try await bucket.piece(target, range, range.hasPrefix("*") ? [] : rest)
                #expect(again.status == 200 && again.body == last.body, "\(range)")
            }
            #expect(try await bucket.object("GET", "r/1", "?alt=media").body == bytes)
        }
    }

    @Test func `the rest of a file may come without its last byte, as from Google's client for Node`() async throws {
        try await Self.use { bucket in
            let bytes = someBytes(300_001)
            let target = try await bucket.start(#"{"name": "n/1"}"#)
            #expect(try await bucket.piece(target, "0-262143/*", Array(bytes[..<262_144])).status == 308)
            #expect(try Self.error(await bucket.piece(target, "262145-*/*", Array(bytes[262_145...]))) == "409 conflict")
            // What came before is skipped.
            let sums = ["X-Goog-Hash": "crc32c=\(Self.crc32c(bytes))"]
            let last = try await bucket.piece(target, "200000-*/*", Array(bytes[200_000...]), sums)
            #expect(try last.status == 200 && JSON(last)["size"].text == "300001", "\(last.text)")
            #expect(try await bucket.piece(target, "200000-*/*", Array(bytes[200_000...])).body == last.body)
            #expect(try await bucket.object("GET", "n/1", "?alt=media").body == bytes)
            // With the length a body that ends early leaves the upload open, and a longer one is too long.
            let known = try await bucket.start(#"{"name": "n/2"}"#)
            let early = try await bucket.piece(known, "0-*/4", [1, 2, 3])
            #expect(early.status == 308 && early.headers["range"] == "bytes=0-2")
            #expect(try Self.error(await bucket.piece(known, "5-*/4", [])) == "400 invalid")
            #expect(try await bucket.piece(known, "3-*/4", [4]).status == 200)
            #expect(try await bucket.object("GET", "n/2", "?alt=media").body == [1, 2, 3, 4])
            let long = try await bucket.start(#"{"name": "n/3"}"#)
            #expect(try Self.error(await bucket.piece(long, "0-*/2", [1, 2, 3])) == "400 invalid")
            #expect(try await bucket.object("GET", "n/3").status == 404)
        }
    }

    @Test func `an upload ends without more bytes, in one request, with a wrong sum or by its client`() async throws {
        try await Self.use { bucket in
            let streamed = try await bucket.start(#"{"name": "s/1"}"#)
            #expect(try await bucket.piece(streamed, "0-2/*", [1, 2, 3]).status == 308)
            #expect(try await bucket.piece(streamed, "*/3").status == 200)
            #expect(try await bucket.object("GET", "s/1", "?alt=media").body == [1, 2, 3])
            let whole = try await bucket.start(#"{"name": "s/2"}"#, "", ["X-Upload-Content-Length": "4"])
            #expect(try await bucket.send("PUT", whole, body: [1, 2, 3, 4]).status == 200)
            let posted = try await bucket.start(#"{"name": "s/6"}"#)
            for (range, status) in [("0-1/*", 308), ("2-3/4", 200)] {
                let reply = try await bucket.send("POST", posted, headers: ["Content-Range": "bytes \(range)"], body: [5, 6])
                #expect(reply.status == status, "\(range)")
            }
            #expect(try await bucket.object("GET", "s/6", "?alt=media").body == [5, 6, 5, 6])
            let empty = try await bucket.start(#"{"name": "s/3"}"#)
            #expect(try await bucket.piece(empty, "*/0").status == 200)
            let wrong = try await bucket.start(#"{"name": "s/4"}"#)
            #expect(try Self.error(await bucket.piece(wrong, "0-0/1", [1], ["X-Goog-Hash": "crc32c=AAAAAA=="])) == "400 invalid")
            #expect(try await bucket.object("GET", "s/4").status == 404)
            let cancelled = try await bucket.start(#"{"name": "s/5"}"#)
            #expect(try await bucket.send("DELETE", cancelled).status == 499)
            #expect(try Self.error(await bucket.piece(cancelled, "*/*")) == "404 notFound")
            for query in ["uploadType=other&name=a", "uploadType=media", "uploadType=media&name=.."] {
                #expect(try Self.error(await bucket.upload(query, [:], [1])) == "400 invalid", "\(query)")
            }
        }
    }

    // MARK: Tokens and callers

    @Test func `permanent download tokens are in the metadata of the JSON API`() async throws {
        try await Self.use(.permanent) { bucket in
            let name = "t/1"
            let made = try await bucket.start(#"{"name": "t/1", "metadata": {"k": "v", "firebaseStorageDownloadTokens": "one,two"}}"#)
            let file = try JSON(await bucket.piece(made, "0-0/1", [1]))
            #expect(file["metadata"]["firebaseStorageDownloadTokens"].text == "one,two" && file["metadata"]["k"].text == "v")
            let firebase = try JSON(await bucket.send("GET", "/v0/b/\(bucket.keys.app)/o/\(name.percentEncoded)"))
            #expect(firebase["downloadTokens"].text == "one,two" && firebase["metadata"].names == ["k"])
            let url = "/v0/b/\(bucket.keys.app)/o/\(name.percentEncoded)?alt=media&token="
            #expect(try await bucket.live.api.request("GET", url + "two").body == [1])
            #expect(try await bucket.object("PATCH", name, "", #"{"metadata": {"firebaseStorageDownloadTokens": "three"}}"#).status == 200)
            #expect(try await bucket.live.api.request("GET", url + "two").status == 403)
            #expect(try await bucket.live.api.request("GET", url + "three").body == [1])
        }
        try await Self.use { bucket in
            let target = try await bucket.start(#"{"name": "t", "metadata": {"firebaseStorageDownloadTokens": "one"}}"#)
            #expect(try JSON(await bucket.piece(target, "0-0/1", [1]))["metadata"].exists == false)
            let url = "/v0/b/\(bucket.keys.app)/o/t?alt=media&token=one"
            #expect(try await bucket.live.api.request("GET", url).status == 403)
        }
    }

    @Test func `only keys for data and admins may use it, and what is not there says so`() async throws {
        try await Self.use { bucket in
            _ = try await bucket.put("a", [1])
            let data = try JSON(await bucket.live.api.asOperator("POST", "/v1/apps/\(bucket.keys.app)/keys", #"{"role": "data"}"#))["key"].text
            let server = Bucket(live: bucket.live, keys: bucket.keys, key: data)
            #expect(try await server.object("GET", "a", "?alt=media").body == [1])
            for key in [bucket.keys.ingest, bucket.keys.read, bucket.keys.send] {
                let other = Bucket(live: bucket.live, keys: bucket.keys, key: key)
                #expect(try Self.error(await other.object("GET", "a")) == "403 forbidden")
            }
            let target = "/storage/v1/b/\(bucket.keys.app)/o/a"
            #expect(try Self.error(await bucket.live.api.request("GET", target)) == "401 authError")
            let app = try await bucket.live.api.makeApp("other")
            #expect(try Self.error(await bucket.live.api.request("GET", target, key: app.admin)) == "404 notFound")
            #expect(try Self.error(await bucket.send("POST", "\(target)/compose", body: Array("{}".utf8))) == "501 notImplemented")
            #expect(try Self.error(await bucket.send("POST", "/batch/storage/v1", body: [1])) == "501 notImplemented")
        }
    }

    @Test func `the emulator takes Google's clients without a key, and no others`() async throws {
        try await withDaemon(
            configure: {
                $0.store.files.reserveBytes = 0
                ($0.mode, $0.accounts.emulator) = (.development, true)
            }
        ) { live in
            let keys = try await live.api.makeApp("shop")
            let upload = "/upload/storage/v1/b/shop/o?uploadType=media&name=a"
            for headers in [[:], ["Authorization": "Bearer owner"], ["Authorization": "Bearer ya29.a0AfH6SMB"]] {
                #expect(try await live.api.request("POST", upload, headers: headers, body: [1]).status == 200, "\(headers)")
            }
            #expect(try await live.api.request("GET", "/b/shop/o/a?alt=media", headers: ["Origin": "http://evil.example"]).status == 401)
            #expect(try await live.api.request("GET", "/b/shop/o/a?alt=media", key: keys.read).status == 403)
            #expect(try await live.api.request("GET", "/b/none").status == 404)
        }
    }
}
