// SPDX-License-Identifier: Apache-2.0

import Functions
import HTTPClient
import JSON
import Platform

/// The response to `next`: the data of a call as the event, and its context in header fields.
struct RuntimeEvent {
    let id: String
    let response: [UInt8]

    /// Throws if there is no memory to read the body of the call.
    init(_ job: WorkerJob, of function: WorkerFunction, _ parser: JSONParser) throws(JSONError) {
        id = job.call.id
        let limits = JSONLimits(bytes: CallBody.maximumBytes + (64 << 10), tokens: 1_000_000, depth: 101)
        let tape = try parser.withReader { reader throws(JSONError) in try reader.parse(job.body, limits: limits) }
        let data = tape.value("data", of: 0).map { tape.bytes[tape.slice($0)] } ?? Array("null".utf8)[...]
        var head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nLambda-Runtime-Aws-Request-Id: \(id)\r\n"
        head += "Lambda-Runtime-Deadline-Ms: \(job.deadlineTime.milliseconds)\r\n"
        head += "Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:local:000000000000:function:\(function.name)\r\n"
        head += "Lambda-Runtime-Client-Context: \(RuntimeEvent.context(tape, job.call.token))\r\nContent-Length: \(data.count)\r\n\r\n"
        response = Array(head.utf8) + data
    }

    /// The context of the call where functions find it: `{"custom":{"signalbox":{"type":"call","app":"shop",…}}}`.
    private static func context(_ tape: JSONTape, _ token: String?) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("custom")
        json.beginObject()
        json.key("signalbox")
        json.beginObject()
        for name in ["type", "context"] {
            guard let place = tape.value(name, of: 0) else { continue }
            json.key(name)
            json.raw(tape.bytes[tape.slice(place)])
        }
        if let token { json.field("token", token) }
        json.endObject()
        json.endObject()
        json.endObject()
        return ascii(json.bytes)
    }

    /// JSON as the value of a header field: other scalars occur in strings only, where they are escaped.
    ///
    ///     {"a":"é"}   →   {"a":"\u00e9"}
    static func ascii(_ json: [UInt8]) -> String {
        String(decoding: json, as: UTF8.self).utf16.reduce(into: "") { text, unit in
            switch unit {
            case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            case 0..<0x20: text += " "
            default: text += "\\u" + String(repeating: "0", count: unit < 0x100 ? 2 : unit < 0x1000 ? 1 : 0) + String(unit, radix: 16)
            }
        }
    }
}
