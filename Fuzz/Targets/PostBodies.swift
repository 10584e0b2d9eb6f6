// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPServer
import Platform

/// Forms of accounts: the credential of a provider in `postBody`, and the form of a mail's page.
///
///     providerId=apple.com&id_token=eyJ…&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ana%22%7D%7D
///     oobCode=…&lang=en&new_password=…
enum PostBodies {
    private static let key = AccountsKey.make()

    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let pairs = PercentDecoding.pairs(of: text) else { return }
        require(pairs.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } <= bytes.count, "a form grows when it is decoded")
        let form = ProviderForm(pairs)
        if form != ProviderForm([]) { accepted() }
        for value in [form.provider, form.token, form.accessToken, form.nonce, form.name] { require(value?.isEmpty != true, "an empty value counts") }
        let again = PercentDecoding.pairs(of: pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")) ?? []
        require(again.count == pairs.count, "a written form has other pairs")
        require(ProviderForm(again) == form, "a written form reads as another")
        checkCode(pairs)
    }

    private static func checkCode(_ pairs: [(name: String, value: String)]) {
        guard let code = pairs.first(where: { $0.name.hasSameBytes(as: "oobCode") })?.value else { return }
        accepted()
        require(MailCode(code, key) == nil, "a forged code is accepted")
        let shown = HTMLText(code).source
        require(!shown.utf8.contains { "<>\"".utf8.contains($0) }, "a code adds markup to a page")
    }

    private static func encoded(_ text: String) -> String {
        var out: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
            out += isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: out, as: UTF8.self)
    }
}
