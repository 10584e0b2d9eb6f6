// SPDX-License-Identifier: Apache-2.0

import Crashes
import JSON
package import Platform

/// A form with a minidump, as Crashpad, Breakpad and sentry-native send it.
///
///     upload_file_minidump   the dump
///     sentry                 an event as JSON; `sentry__1`, `sentry__2`, … if it is long
///     sentry[user][id]       a field of an event
///     __sentry-event         an event as MessagePack
///     __sentry-breadcrumb1   breadcrumbs as MessagePack; there are two such files
///     prod, ver, guid        annotations, which become custom keys
package struct MinidumpForm {
    /// The limit of parts of a request, and of those that become fields of the event.
    package static let parts = 256
    private static let dumpName = "upload_file_minidump"
    private static let valueBytes = 8_192
    private static let chunks = "sentry__"

    package private(set) var dump: ArraySlice<UInt8> = []
    /// The event as JSON, without the fields of the form; empty if there is none.
    private(set) var event: [UInt8] = []
    private(set) var breadcrumbs: [[UInt8]] = []
    private(set) var fields = FieldTree()
    private(set) var annotations: [(name: String, value: String)] = []
    /// Further files, which become attachments.
    private(set) var files: [FormParts.Part] = []

    package init(_ body: [UInt8], contentType: String?) throws(Refusal) {
        let form = try FormParts(body, contentType, most: MinidumpForm.parts)
        var chunks: [(number: Int, bytes: ArraySlice<UInt8>)] = []
        var translated: Set<String> = []
        for part in form.all {
            switch part.name {
            case MinidumpForm.dumpName: if dump.isEmpty { dump = part.bytes }
            case "sentry": chunks.append((0, part.bytes))
            case "__sentry-event", "__sentry-breadcrumb1", "__sentry-breadcrumb2":
                // JSON may take six times the bytes of MessagePack, so that each file is read once.
                guard translated.insert(part.name).inserted, let values = MessagePack.json(part.bytes) else { continue }
                if part.name == "__sentry-event" { event = values.first ?? [] } else { breadcrumbs += values.suffix(CrashLimits.breadcrumbs) }
            case let name where name.hasPrefix(MinidumpForm.chunks) && Int(name.dropFirst(MinidumpForm.chunks.count)) != nil:
                chunks.append((Int(name.dropFirst(MinidumpForm.chunks.count)) ?? 0, part.bytes))
            case _ where part.fileName != nil: files.append(part)
            default: read(part)
            }
        }
        guard !dump.isEmpty else {
            throw Refusal(.badRequest, "The form has no file `\(MinidumpForm.dumpName)`.", hint: "Send the minidump under that name.")
        }
        if event.isEmpty { event = chunks.sorted { $0.number < $1.number }.flatMap(\.bytes) }
    }

    private mutating func read(_ part: FormParts.Part) {
        guard let value = String(validating: part.bytes.prefix(MinidumpForm.valueBytes), as: UTF8.self), !part.name.isEmpty else { return }
        if let path = MinidumpForm.path(part.name) {
            fields.set(path, value)
        } else {
            annotations.append((part.name, value))
        }
    }

    /// Returns `["user", "id"]` for `sentry[user][id]`; nil for other names.
    private static func path(_ name: String) -> [String]? {
        guard name.hasPrefix("sentry["), name.hasSuffix("]"), name.utf8.count <= 512 else { return nil }
        let inner = name.utf8.dropFirst(7).dropLast()
        let parts = String(decoding: inner, as: UTF8.self).split(separator: "][", omittingEmptySubsequences: false).map(String.init)
        return parts.count <= FieldTree.levels && parts.allSatisfy { !$0.isEmpty } ? parts : nil
    }

    /// Returns an annotation by the first of some names.
    func annotation(_ names: String...) -> String? {
        names.lazy.compactMap { name in annotations.first { $0.name == name && !$0.value.isEmpty }?.value }.first
    }
}
