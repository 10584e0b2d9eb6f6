// SPDX-License-Identifier: Apache-2.0

package import Crashes
import JSON
import Platform

/// The JSON form in which a report is stored and shown. Its field names are those that the decoder reads.
extension CrashReport {
    package var json: [UInt8] {
        var json = JSONWriter(reserving: 2_048)
        json.beginObject()
        write(to: &json)
        json.endObject()
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        json.field("id", id)
        json.field("kind", kind.name)
        json.field("level", level.name)
        json.field("timestamp", time.rfc3339)
        json.field("type", type)
        json.field("reason", ifAny: reason)
        json.field("message_template", ifAny: messageTemplate)
        json.field("handled", ifAny: handled)
        json.list("exceptions", exceptions) { $0.write(to: &$1) }
        json.list("threads", threads) { $0.write(to: &$1) }
        json.list("frames", frames) { $0.write(to: &$1) }
        json.list("images", images) { $0.write(to: &$1) }
        json.list("breadcrumbs", breadcrumbs) { $0.write(to: &$1) }
        json.pairs("custom_keys", customKeys)
        json.field("logs", ifAny: logs)
        json.list("fingerprint", fingerprint) { $1.string($0) }
        json.field("installation_id", ifAny: installation)
        json.field("user_id", ifAny: user)
        json.field("session_id", ifAny: session)
        json.field("release", ifAny: release)
        json.field("build", ifAny: build)
        json.field("platform", ifAny: platform)
        json.pairs("context", context)
        json.list("cuts", cuts) { $1.string($0) }
    }
}

extension CrashException {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", ifAny: type)
        json.field("value", ifAny: value)
        json.field("module", ifAny: module)
        json.field("thread_id", ifAny: thread)
        if mechanism != CrashMechanism() {
            json.key("mechanism")
            mechanism.write(to: &json)
        }
        json.list("frames", frames) { $0.write(to: &$1) }
        json.endObject()
    }
}

extension CrashMechanism {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", ifAny: type)
        json.field("handled", ifAny: handled)
        if isSynthetic { json.field("synthetic", true) }
        if signal != nil || machException != nil || errorDomain != nil || errorCode != nil { writeMeta(to: &json) }
        json.endObject()
    }

    private func writeMeta(to json: inout JSONWriter) {
        json.key("meta")
        json.beginObject()
        json.named("signal", signal)
        json.named("mach_exception", machException)
        if errorDomain != nil || errorCode != nil {
            json.key("ns_error")
            json.beginObject()
            json.field("domain", ifAny: errorDomain)
            json.field("code", ifAny: errorCode)
            json.endObject()
        }
        json.endObject()
    }
}

extension CrashThread {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", ifAny: id)
        json.field("name", ifAny: name)
        if crashed { json.field("crashed", true) }
        if current { json.field("current", true) }
        json.list("frames", frames) { $0.write(to: &$1) }
        json.endObject()
    }
}

extension StackFrame {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("function", ifAny: function)
        json.field("raw_function", ifAny: rawFunction)
        json.field("module", ifAny: module)
        json.field("filename", ifAny: file)
        json.field("abs_path", ifAny: absolutePath)
        json.field("lineno", ifAny: line)
        json.field("colno", ifAny: column)
        json.list("pre_context", preContext) { $1.string($0) }
        json.field("context_line", ifAny: contextLine)
        json.list("post_context", postContext) { $1.string($0) }
        json.pairs("vars", variables)
        json.field("in_app", ifAny: inApp)
        json.field("platform", ifAny: platform)
        json.field("package", ifAny: package)
        json.address("instruction_addr", address)
        json.address("symbol_addr", symbolAddress)
        json.address("image_addr", imageAddress)
        if isInline { json.field("inline", true) }
        if symbolication != .none { json.field("symbolication", symbolication.name) }
        json.field("trust", ifAny: trust?.name)
        json.pairs("registers", registers)
        json.endObject()
    }
}

extension BinaryImage {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", ifAny: type)
        json.field("debug_id", ifAny: debugID?.text)
        json.field("code_id", ifAny: codeID)
        json.address("image_addr", address)
        json.field("image_size", ifAny: size)
        json.address("image_vmaddr", preferredAddress)
        json.field("code_file", ifAny: codeFile)
        json.field("debug_file", ifAny: debugFile)
        json.field("arch", ifAny: architecture)
        json.endObject()
    }
}

extension Breadcrumb {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("timestamp", ifAny: time?.rfc3339)
        json.field("type", ifAny: type)
        json.field("category", ifAny: category)
        json.field("message", ifAny: message)
        json.field("level", ifAny: level)
        if !data.isEmpty {
            json.key("data")
            json.raw(data[...])
        }
        json.endObject()
    }
}

// MARK: - Optional fields

extension JSONWriter {
    fileprivate mutating func field(_ name: String, ifAny value: String?) {
        if let value { field(name, value) }
    }

    fileprivate mutating func field(_ name: String, ifAny value: (some BinaryInteger)?) {
        if let value { field(name, value) }
    }

    fileprivate mutating func field(_ name: String, ifAny value: Bool?) {
        if let value { field(name, value) }
    }

    fileprivate mutating func address(_ name: String, _ value: UInt64?) {
        if let value { field(name, "0x" + String(value, radix: 16)) }
    }

    fileprivate mutating func named(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        beginObject()
        field("name", value)
        endObject()
    }

    fileprivate mutating func list<Entry>(_ name: String, _ entries: [Entry], _ write: (Entry, inout JSONWriter) -> Void) {
        if entries.isEmpty { return }
        key(name)
        beginArray()
        for entry in entries { write(entry, &self) }
        endArray()
    }

    fileprivate mutating func pairs(_ name: String, _ pairs: [CustomKey]) {
        if pairs.isEmpty { return }
        key(name)
        beginObject()
        for pair in pairs { field(pair.name, pair.value) }
        endObject()
    }
}
