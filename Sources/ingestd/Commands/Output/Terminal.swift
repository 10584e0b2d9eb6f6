import JSON
import Platform

/// Where commands print and ask.
enum Terminal {
    static func print(_ text: String) throws {
        try write(Array(text.utf8) + [0x0a])
    }

    static func write(_ bytes: [UInt8]) throws {
        do {
            try StandardStream.output.write(bytes)
        } catch {
            throw Failure("Standard output cannot be written: \(error.reason).", hint: "Has its reader ended, or is the disk full?")
        }
    }

    /// One line on standard error; where even that is closed nobody is left to tell.
    static func complain(_ line: String) {
        try? StandardStream.error.write(Array("ingestd: \(line)\n".utf8))
    }

    /// Asks before something is lost for good; without a person to ask, only `--yes` will do.
    static func confirm(_ question: String, _ arguments: Arguments, _ yes: Option) throws {
        if arguments.has(yes) { return }
        guard OwnProcess.hasPerson else { throw WrongUsage(what: "\(question) Nobody is there to ask.", hint: "Say so with \(yes.name).") }
        try? StandardStream.error.write(Array("\(question) [y/N] ".utf8))
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure("Nothing was deleted.", hint: "Answer y to delete.")
        }
    }
}

extension Terminal {
    static func print(_ reply: ControlReply) throws {
        try write(reply.json + [0x0a])
    }

    static func printJSON(_ build: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        json.beginObject()
        build(&json)
        json.endObject()
        try write(json.bytes + [0x0a])
    }

    /// A whole list, in the form of a page.
    static func printItems(_ items: [ControlReply], _ write: (inout JSONWriter, ControlReply) -> Void) throws {
        try printJSON { json in
            json.key("items")
            json.beginArray()
            for item in items { write(&json, item) }
            json.endArray()
        }
    }
}

extension JSONWriter {
    /// A value as the daemon gave it.
    mutating func field(_ name: String, _ value: ControlReply?) {
        guard let value else { return }
        key(name)
        raw(value.json)
    }
}
