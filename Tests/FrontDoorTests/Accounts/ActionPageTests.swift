// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// The page that a mail's link opens.
@Suite struct ActionPageTests {
    private static func path(_ link: String?) -> String {
        link.map { String($0.dropFirst("https://signals.example.org".count)) } ?? ""
    }

    private static func post(_ world: MailWorld, _ form: String, headers: [String: String] = [:]) async throws -> Reply {
        let all = headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 }
        return try await world.api.post("/v1/auth/action", headers: all, form)
    }

    @Test func `scanners may open the link as often as they like; the button uses the code`() async throws {
        try await MailWorld.use { world in
            let user = try await world.accounts.user()
            let mail = try await world.mail("verify_email")
            for _ in 0..<3 {
                let page = try await world.api.get(Self.path(mail.link))
                #expect(page.status == 200 && page.text.contains("Is ana@example.org your address?"), "\(page.text)")
                #expect(page.headers["content-type"] == "text/html; charset=utf-8" && page.headers["cache-control"] == "no-store")
                let policy = page.headers["content-security-policy"] ?? ""
                #expect(policy.contains("default-src 'none'") && policy.contains("form-action 'self'") && !policy.contains("script"))
                #expect(page.headers["referrer-policy"] == "no-referrer" && !page.text.contains("<script"))
            }
            #expect(try await !world.user(user.token)["email_verified"].bool)
            let done = try await Self.post(world, "oobCode=\(mail.code ?? "")&lang=en")
            #expect(done.status == 200 && done.text.contains("ana@example.org is confirmed."), "\(done.text)")
            #expect(try await world.user(user.token)["email_verified"].bool)
            for reply in [try await Self.post(world, "oobCode=\(mail.code ?? "")&lang=en"), try await world.api.get(Self.path(mail.link))] {
                #expect(reply.status == 422 && reply.text.contains("it was used already"))
            }
        }
    }

    @Test func `a password is set on the page`() async throws {
        try await MailWorld.use { world in
            _ = try await world.accounts.user()
            let mail = try await world.mail("reset_password", more: #", "locale": "de""#)
            #expect(try await world.api.get(Self.path(mail.link)).text.contains("Wähle ein neues Passwort für ana@example.org."))
            let weak = try await Self.post(world, "oobCode=\(mail.code ?? "")&lang=de&new_password=short")
            #expect(weak.status == 422 && weak.text.contains("name=\"new_password\"") && weak.text.contains("zu kurz"))
            let done = try await Self.post(world, "oobCode=\(mail.code ?? "")&lang=de&new_password=another+horse+battery+staple")
            #expect(done.status == 200 && done.text.contains("Passwort gespeichert"))
            #expect(try await world.accounts.signIn(password: MailWorld.newPassword).status == 200)
        }
    }

    @Test(arguments: [
        "", "?oobCode=", "?oobCode=x", "?oobCode=%3Cscript%3Ealert(1)%3C/script%3E", "?lang=%22%3E%3Cscript%3E&oobCode=a", "?mode=resetPassword",
        "?continueUrl=https://evil.example/&oobCode=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `a broken link shows nothing of itself`(query: String) async throws {
        try await MailWorld.use { world in
            let page = try await world.api.get("/v1/auth/action" + query)
            #expect(page.status == 422 && !page.text.contains("<script") && !page.text.contains("evil"), "\(page.text)")
        }
    }

    @Test func `links come from the settings, whatever host a request names`() async throws {
        try await MailWorld.use { world in
            _ = try await world.accounts.user()
            let forged = ["X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"]
            let body = Array(#"{"kind": "reset_password", "email": "ana@example.org"}"#.utf8)
            let request = TestClient.bytes("POST", "/v1/auth/codes", key: world.keys.ingest, headers: forged, body: body)
            let text = String(decoding: request, as: UTF8.self).replacing("Host: localhost", with: "Host: evil.example")
            let reply = try await HTTPConnection(.port(world.api.port)).exchange(Array(text.utf8))
            #expect(reply.status == 202, "\(reply.text)")
            let mail = try await world.next(after: 0)
            #expect(mail.link?.hasPrefix("https://signals.example.org/v1/auth/action?") == true && !mail.text.contains("evil"))
        }
    }

    @Test func `of many who redeem one code at once, each in another way, one wins`() async throws {
        try await MailWorld.use { world in
            let user = try await world.accounts.user()
            let code = try #require(try await world.mail("reset_password").code)
            let firebase = "\(FirebaseWorld.v1)/accounts:resetPassword?key=\(world.keys.ingest)"
            // The address of a test may redeem twenty times a minute.
            let done = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<4 {
                    for way in ["native", "firebase", "page"] {
                        group.addTask {
                            let password = "horse battery \(way) \(number)"
                            let reply =
                                switch way {
                                case "native": try await world.redeem(code, more: #", "new_password": "\#(password)""#)
                                case "firebase": try await world.api.post(firebase, #"{"oobCode": "\#(code)", "newPassword": "\#(password)"}"#)
                                default:
                                    try await Self.post(world, "oobCode=\(code)&lang=en&new_password=\(password.replacing(" ", with: "+"))")
                                }
                            return reply.status == 200 ? password : nil
                        }
                    }
                }
                return try await group.reduce(into: [String]()) { if let password = $1 { $0.append(password) } }
            }
            #expect(done.count == 1, "\(done)")
            #expect(try await world.accounts.signIn(password: done.first ?? "").status == 200)
            #expect(try await world.api.get("/v1/auth/user", key: user.token).status == 401)
            let changes = try JSON(try await world.api.get("/v1/auth/audit?event=password_changed", key: world.keys.admin))
            #expect(changes["items"].items.count == 1)
        }
    }

    @Test func `a page that is not of the app is never linked`() async throws {
        try await MailWorld.use { world in
            try await world.accounts.set(#"{"auth_origins": ["https://shop.example"]}"#)
            _ = try await world.accounts.user()
            let mail = try await world.mail("verify_email")
            let done = try await Self.post(world, "oobCode=\(mail.code ?? "")&continueUrl=https://evil.example/&continue_url=https://evil.example/")
            #expect(done.status == 200 && !done.text.contains("evil") && !done.text.contains("href"))
        }
    }
}
