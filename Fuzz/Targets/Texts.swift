// SPDX-License-Identifier: Apache-2.0

import Events
import HTTPServer
import Platform

/// Short texts. An accepted one prints a text that reads as the same.
enum Texts {
    static func run(_ bytes: [UInt8]) {
        times(bytes)
        if let uuid = UUID128(bytes.span) { require(UUID128(uuid.text.span) == uuid, "a UUID that changed") }
        _ = Money.millionths(bytes.span)
        _ = Money.currency(bytes.span)
        accepted()
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        addresses(text)
        settings(text)
    }

    private static func times(_ bytes: [UInt8]) {
        _ = Timestamp(text: bytes.span)
        guard let time = Timestamp(rfc3339: bytes.span) else { return }
        require(Timestamp(rfc3339: Array(time.rfc3339.utf8).span) == time, "a time that changed: \(time.rfc3339)")
    }

    private static func addresses(_ text: String) {
        if let address = IPAddress(text) {
            require(IPAddress(address.description) == address, "an address that changed: \(address)")
        }
        if let range = AddressRange(text) {
            require(AddressRange(range.description) == range && range.contains(range.first), "a range that changed: \(range)")
        }
        if let address = ListenAddress(text) {
            require(ListenAddress(address.description) == address, "a printed listen address reads differently: \(address)")
        }
        if let client = ClientAddress(text: text) {
            require(ClientAddress(text: client.description) == client, "a client that changed: \(client)")
        }
    }

    private static func settings(_ text: String) {
        for field in AppSettings.fields {
            var settings = AppSettings()
            guard (try? settings.set(field.name, to: text)) != nil else { continue }
            let printed = field.text(in: settings)
            var again = AppSettings()
            require((try? again.set(field.name, to: printed)) != nil, "\(field.name) is printed as \(printed), which it rejects")
            require(field.text(in: again) == printed, "\(field.name) prints as \(printed), then as \(field.text(in: again))")
        }
    }
}
