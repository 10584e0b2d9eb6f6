// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// The complaints of `ingestd check` and of the start of the daemon about the settings of mails.
@Suite struct MailOptionsTests {
    private static func problems(_ change: (inout MailOptions) -> Void) -> [String] {
        var options = MailOptions()
        (options.url, options.from) = ("smtps://mail.example.org", "Shop <no-reply@shop.example>")
        change(&options)
        do throws(ConfigurationError) {
            _ = try options.prepared()
            return []
        } catch {
            return error.problems.map(\.key)
        }
    }

    @Test func `complete settings have no problem`() {
        #expect(Self.problems { _ in }.isEmpty)
        #expect(Self.problems { ($0.user, $0.password) = ("shop", Secret("secret")) }.isEmpty)
        #expect(Self.problems { $0 = MailOptions() }.isEmpty)
    }

    @Test func `each broken setting is named`() {
        #expect(Self.problems { $0.url = "https://mail.example.org" } == ["accounts.mail.url"])
        #expect(Self.problems { $0.url = "smtp://shop:secret@mail.example.org" } == ["accounts.mail.url"])
        #expect(Self.problems { $0.from = nil } == ["accounts.mail.from"])
        #expect(Self.problems { $0.from = "Shop" } == ["accounts.mail.from"])
        #expect(Self.problems { $0.from = "Shop <a@b.example>\r\nBcc: <x@y.example>" } == ["accounts.mail.from"])
        #expect(Self.problems { $0.user = "shop" } == ["accounts.mail.user"])
        #expect(Self.problems { $0.templates = "/does/not/exist" } == ["accounts.mail.templates"])
        #expect(Self.problems { $0.authorities = "/does/not/exist" } == ["accounts.mail.authorities"])
    }

    @Test func `templates of a folder are checked and used`() async throws {
        let folder = TemporaryFolder()
        func write(_ name: String, _ text: String) throws {
            let file = try File(folder.path + "/" + name, .new)
            try file.write(Array(text.utf8))
        }
        try write("reset_password.txt", "Subject: {{app}} {{unknown}}\n\n{{link}}")
        #expect(Self.problems { $0.templates = folder.path } == ["accounts.mail.templates"])
        try Folder.remove(folder.path + "/reset_password.txt")
        try write("reset_password.fr.txt", "Subject: Bonjour {{app}}\n\nVoici: {{code}}")
        try write("notes.md", "{{unknown}}")
        try await MailWorld.use(configure: { $0.mail.templates = folder.path }) { world in
            _ = try await world.accounts.user()
            let mail = try await world.mail("reset_password", more: #", "locale": "fr-CA""#)
            #expect(mail.header("Subject") == "Bonjour shop" && mail.plain.hasPrefix("Voici: "))
        }
    }

    @Test func `a daemon with a broken mail server does not start`() async throws {
        await #expect(throws: ConfigurationError.self) { try await MailWorld.use(configure: { $0.mail.url = "smtp://" }) { _ in } }
    }
}
