// SPDX-License-Identifier: Apache-2.0

package import JSON
import Platform

extension FunctionDefinition {
    /// The definition as JSON, with all defaults; the form for storage and responses.
    package var json: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        target.write(to: &json)
        json.field("auth", auth.rawValue)
        json.field("timeout", timeoutSeconds)
        json.field("concurrency", concurrency)
        json.field("waiting", waiting)
        if let retries { json.field("retries", retries) }
        if let order { json.field("order", order.text) }
        json.field("may", grants.map(\.rawValue))
        json.key("triggers")
        json.beginArray()
        for trigger in triggers { trigger.write(to: &json) }
        json.endArray()
        json.endObject()
    }
}

extension FunctionDefinition.Target {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .address(let url, let format):
            json.field("url", url)
            json.field("format", format.rawValue)
        case .topic(let topic): json.field("topic", topic)
        case .worker(let program):
            json.key("worker")
            json.beginObject()
            json.field("protocol", program.transport.rawValue)
            json.field("command", program.command)
            if let folder = program.folder { json.field("folder", folder) }
            json.endObject()
        }
    }
}

extension FunctionTrigger {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("on", kind.rawValue)
        switch self {
        case .event(let name, let filters):
            json.field("name", name)
            if !filters.isEmpty { json.field("filter", filters) }
        case .issue(let moment): json.field("what", moment.rawValue)
        case .user(let moment): json.field("what", moment.rawValue)
        case .document(let path, let moment): FunctionTrigger.write(path, moment.rawValue, to: &json)
        case .file(let path, let moment): FunctionTrigger.write(path, moment.rawValue, to: &json)
        case .schedule(let trigger): trigger.write(to: &json)
        }
        json.endObject()
    }

    private static func write(_ path: PathPattern, _ what: String, to json: inout JSONWriter) {
        json.field("path", path.text)
        json.field("what", what)
    }
}

extension ScheduleTrigger {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("cron", schedule.text)
        json.field("tz", schedule.zone.name)
        json.field("missed", missed.rawValue)
        json.field("overlap", mayOverlap)
    }
}
