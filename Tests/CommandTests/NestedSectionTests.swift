// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Platform
import Testing

@testable import ingestd

/// Sections of the configuration that are inside others.
@Suite struct NestedSectionTests {
    private static func read(_ file: String, _ environment: [String: String] = [:]) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader(Configuration(), Configuration.settings)
        reader.read(file: "test.json5", Array(file.utf8))
        reader.read(environment: environment)
        return try reader.result()
    }

    private static func problems(_ file: String) -> [String] {
        do {
            _ = try read(file)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `the mail server is read from the file and the environment`() throws {
        let file = "{accounts: {url: 'https://a.example', mail: {url: 'smtps://mail.example', user: 'shop'}, sessions: 7}}"
        let configuration = try Self.read(file)
        #expect(configuration.mail.url == "smtps://mail.example" && configuration.mail.user == "shop")
        #expect(configuration.accounts.url == "https://a.example" && configuration.store.accounts.sessionsPerAccount == 7)
        #expect(try Self.read(file, ["INGESTD_ACCOUNTS_MAIL_URL": "smtp://localhost"]).mail.url == "smtp://localhost")
        let setting = try #require(Configuration.settings.first { $0.key == "accounts.mail.url" })
        #expect(setting.section == "accounts.mail" && setting.leaf == "url")
    }

    @Test(arguments: [
        ("{accounts: {mail: 'smtps://mail.example'}}", "accounts.mail"), ("{accounts: {mail: {host: 'mail.example'}}}", "accounts.mail.host"),
        ("{accounts: {mail_url: 'smtps://mail.example'}}", "Did you mean accounts.mail.url?"), ("{mail: {url: 'smtps://mail.example'}}", "mail"),
        ("{accounts: {mail: {mail: {url: 'x'}}}}", "accounts.mail.mail"), ("{accounts: {accounts: {mail: {}}}}", "accounts.accounts"),
        ("{accounts: {mail: {}, mail: {}}}", "Duplicate key."),
    ])
    func `a misplaced setting is named`(file: String, text: String) {
        let problems = Self.problems(file)
        #expect(problems.count == 1 && problems[0].contains(text), "\(problems)")
    }
}
