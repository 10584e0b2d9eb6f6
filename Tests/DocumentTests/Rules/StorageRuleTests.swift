// SPDX-License-Identifier: Apache-2.0

import Rules
import SignalboxDocumentModel
import Testing

@Suite struct StorageRuleTests {
    static func rules(_ body: String, version: Int = 2) -> String {
        "rules_version = '\(version)';\nservice firebase.storage {\n match /b/{bucket}/o {\n\(body)\n }\n}"
    }

    static let ann: RuleValue = {
        let members = DocumentFields([.init("uid", .text("ann")), .init("token", .map(DocumentFields()))])
        return .stored(.map(members ?? DocumentFields()))
    }()

    static func decide(
        _ body: String, _ method: RuleMethodName, _ path: String, auth: RuleValue = ann, size: Int64 = 5, type: String = "image/png",
        stored: Bool = false, version: Int = 2
    ) throws -> Bool {
        let segments = path.split(separator: "/").map(String.init)
        var request = RuleRequest(method, file: segments, in: "shop", auth: auth, time: .epoch)
        var file = RuleFile(name: path, bucket: "shop")
        (file.size, file.contentType, file.metadata) = (size, type, ["kind": "face"])
        if stored { request.existing = .file(file) }
        if method == .create || method == .update { request.written = .file(file) }
        let admins = try #require(DocumentPath("admins/ann"))
        return try Ruleset(new: rules(body, version: version), for: .files).decide(request) { path, _ in path == admins ? DocumentFields() : nil }
            .isAllowed
    }

    static let usual = """
        match /users/{uid}/{file=**} {
          allow read: if request.auth.uid == uid;
          allow create: if request.auth.uid == uid && request.resource.size < 10 && request.resource.contentType.matches('image/.*');
          allow delete: if resource.metadata.kind == 'face';
        }
        match /public/{file} { allow get: if true; }
        match /audit/{all=**} { allow read: if firestore.exists(/databases/(default)/documents/admins/$(request.auth.uid)); }
        """

    @Test(arguments: [
        (RuleMethodName.get, "users/ann/a.png", true), (.get, "users/bob/a.png", false), (.list, "users/ann", true), (.list, "users/ann/x/y", true),
        (.list, "users", false), (.list, "", false), (.create, "users/ann/a.png", true), (.update, "users/ann/a.png", false),
        (.get, "public/a", true),
        (.get, "public/a/b", false), (.list, "public", false), (.get, "audit/1", true), (.delete, "users/bob/a.png", false), (.get, "other", false),
    ])
    func `a file is allowed or not`(method: RuleMethodName, path: String, isAllowed: Bool) throws {
        #expect(try Self.decide(Self.usual, method, path) == isAllowed)
    }

    @Test func `size, type and stored metadata decide`() throws {
        #expect(try !Self.decide(Self.usual, .create, "users/ann/a.png", size: 10))
        #expect(try !Self.decide(Self.usual, .create, "users/ann/a.png", type: "text/html"))
        #expect(try Self.decide(Self.usual, .delete, "users/bob/a.png", stored: true))
        #expect(try !Self.decide(Self.usual, .get, "users/ann/a.png", auth: .null))
        #expect(try !Self.decide(Self.usual, .get, "audit/1", auth: .null))
    }

    @Test(arguments: [
        "request.path == /b/shop/o/a/b", "bucket == 'shop' && file == path('a/b')", "request.method == 'get' && !('resource' in request)",
        "request.time == timestamp.value(0) && resource == null",
    ])
    func `a request has members`(condition: String) throws {
        #expect(try Self.decide("match /{file=**} { allow get: if \(condition); }", .get, "a/b"))
    }

    @Test(arguments: [
        "resource.name == 'a' && resource.bucket == 'shop' && resource.size == 5", "resource.contentType == 'image/png'",
        "resource.metadata == {'kind': 'face'}", "!('md5Hash' in resource)",
    ])
    func `a stored file has members`(condition: String) throws {
        #expect(try Self.decide("match /{file=**} { allow get: if \(condition); }", .get, "a", stored: true))
    }

    @Test(arguments: [
        ("match /{file=**} { allow list; }", true), ("match /a/{file=**} { allow list: if request.method == 'list'; }", true),
        ("match /a { allow list; }", false), ("match /a/{file} { allow list; }", false), ("match /a/{file}/{rest=**} { allow list; }", false),
        ("match /{file=**}/b { allow list; }", false), ("match /{file=**} { allow list: if file == path('a'); }", false),
        ("match /{file=**} { allow list: if file != path('b'); }", false),
    ])
    func `every depth is allowed by a match of every depth`(rule: String, isAllowed: Bool) throws {
        let request = RuleRequest(.list, file: ["a", RuleRequest.anyDepth], in: "shop", auth: Self.ann, time: .epoch)
        #expect(try Ruleset(new: Self.rules(rule), for: .files).decide(request) { _, _ in nil }.isAllowed == isAllowed)
    }

    @Test(arguments: [
        ("request.resource.md5Hash == 'x'", true), ("request.resource['crc32c'] != 'x'", true), ("!(request.resource.md5Hash in ['x'])", true),
        ("request.resource.md5Hash.size() > 3", true), ("request.resource.md5Hash is string && request.resource.size == 5", true),
        ("request.resource.md5Hash == 'x' || request.auth.none", true), ("request.auth.none || request.resource.md5Hash == 'x'", true),
        ("request.resource.md5Hash == 'x' && request.auth.none", false), ("request.auth.none && request.resource.md5Hash == 'x'", false),
        ("request.resource.md5Hash == 'x' && request.resource.size == 6", false), ("request.resource.size == 6", false),
        ("resource.md5Hash == 'x'", false), ("request.resource.etag == 'x'", false),
    ])
    func `a condition on checksums is undecided before the bytes`(condition: String, isUndecided: Bool) throws {
        var request = RuleRequest(.create, file: ["a"], in: "shop", auth: Self.ann, time: .epoch)
        var file = RuleFile(name: "a", bucket: "shop")
        file.size = 5
        request.written = .file(file)
        let rules = try Ruleset(new: Self.rules("match /a { allow create: if \(condition); }"), for: .files)
        #expect(!rules.decide(request) { _, _ in nil }.isUndecided)
        request.awaitFile()
        let decision = rules.decide(request) { _, _ in nil }
        #expect(!decision.isAllowed && decision.isUndecided == isUndecided)
    }

    @Test(arguments: [
        ("request.auth.uid == 'bob'", false), ("file == path('a')", false), ("request.auth.uid == 'bob' && resource.size == 5", false),
        ("resource.size == 5", true), ("resource == null", true), ("request.auth.none || 'size' in resource", true),
    ])
    func `a decision tells whether it is about the file`(condition: String, isAboutFile: Bool) throws {
        let rules = try Ruleset(new: Self.rules("match /{file=**} { allow get: if \(condition); }"), for: .files)
        let request = RuleRequest(.get, file: ["a"], in: "shop", auth: Self.ann, time: .epoch)
        #expect(rules.decide(request) { _, _ in nil }.looksAtExisting == isAboutFile)
    }

    @Test(arguments: [
        ("request.auth.uid == 'bob' && resource.size == 5", 0, false), ("resource.size == 5 && resource.name == 'a'", 1, true),
        ("resource.size == 6 || resource == null", 1, false),
    ])
    func `a file is read once, when rules look at it, and they run once`(condition: String, reads: Int, isAllowed: Bool) throws {
        let rules = try Ruleset(new: Self.rules("match /{file=**} { allow get: if \(condition); }"), for: .files)
        var request = RuleRequest(.get, file: ["a"], in: "shop", auth: Self.ann, time: .epoch)
        var file = RuleFile(name: "a", bucket: "shop")
        file.size = 5
        var count = 0
        let decision = rules.decide(
            request,
            file: {
                count += 1
                return file
            })
        #expect(count == reads && decision.isAllowed == isAllowed && decision.looksAtExisting == (reads > 0))
        request.existing = .file(file)
        let known = rules.decide(request) { _, _ in nil }
        #expect(known.isAllowed == isAllowed && known.expressions == decision.expressions)
    }

    @Test func `version 1 lists no folder that is the rest itself`() throws {
        #expect(try !Self.decide("match /{file=**} { allow read; }", .list, "", version: 1))
        #expect(try Self.decide("match /{file=**} { allow read; }", .list, ""))
    }

    @Test(arguments: RuleService.allCases)
    func `new rules without a service say how to deny everything, and that does`(service: RuleService) throws {
        for text in ["", "rules_version = '2';"] {
            let fault = #expect(throws: RuleFault.self) { try Ruleset(new: text, for: service) }
            #expect(fault?.message.contains("as `service \(service.rawValue) { }`, it denies everything") == true)
        }
        let rules = try Ruleset(new: "service \(service.rawValue) { }", for: service)
        let request = RuleRequest(.get, file: ["a"], in: "shop", auth: Self.ann, time: .epoch)
        #expect(!rules.decide(request) { _, _ in nil }.isAllowed)
    }

    @Test func `new rules are those of one service`() throws {
        let (documents, files) = (RuleSyntaxTests.allow("true"), Self.rules("match /{file=**} { allow get; }"))
        #expect(throws: RuleFault.self) { try Ruleset(new: files) }
        #expect(throws: RuleFault.self) { try Ruleset(new: documents, for: .files) }
        let both = documents + "\n" + files.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(throws: RuleFault.self) { try Ruleset(new: both) }
        #expect(throws: RuleFault.self) { try Ruleset(new: "service other { match /a { allow get; } }") }
        #expect(try RuleSyntaxTests.isAllowed(both))
    }

    @Test func `functions that read documents belong to their service`() throws {
        let document = "/databases/(default)/documents/a/b"
        let files = try Ruleset(new: Self.rules("match /a { allow get: if !exists(\(document)); }"), for: .files)
        let documents = try Ruleset(new: RuleSyntaxTests.allow("!firestore.exists(\(document))"))
        #expect(files.warnings.count == 1 && documents.warnings.count == 1)
        #expect(try !Self.decide("match /{file=**} { allow get: if !exists(\(document)); }", .get, "a"))
        #expect(try !RuleSyntaxTests.isAllowed(RuleSyntaxTests.allow("!firestore.exists(\(document))")))
    }
}
