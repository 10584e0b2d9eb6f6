// SPDX-License-Identifier: Apache-2.0

import Crypto
import Firestore
import JSON
import Platform
import SignalboxDocumentModel

/// Page tokens of lists: the values of a document in the order of the list, as a cursor in Base64.
enum FirestorePage {
    private static let parser = JSONParser()

    static func token(_ values: [DocumentValue], _ database: FirestoreDatabase) -> String {
        var writer = ProtoWriter(database)
        writer.cursor(values, isBefore: false)
        return Base64URL.encode(writer.json.bytes)
    }

    static func cursor(_ token: String, _ database: FirestoreDatabase) throws(FirestoreFault) -> DocumentQuery.Cursor {
        let fault = FirestoreFault(.invalidArgument, "invalid page token")
        guard let bytes = Base64URL.decode(token) else { throw fault }
        let tape: JSONTape
        do throws(JSONError) {
            tape = try parser.withReader { reader throws(JSONError) in try reader.parse(bytes, limits: ProtoReader.limits) }
        } catch { throw fault }
        guard let cursor = try ProtoReader(tape, database).cursor(0), !cursor.values.isEmpty else { throw fault }
        return cursor
    }
}

/// The order of a list.
///
///     name desc, age   →   name descending, age descending
enum FirestoreOrder {
    private static let most = 100

    static func read(_ text: String) throws(FirestoreFault) -> [DocumentQuery.Order] {
        if text.isEmpty { return [] }
        var orders: [DocumentQuery.Order] = []
        for part in split(text, at: UInt8(ascii: ",")) {
            let words = split(part, at: UInt8(ascii: " ")).filter { !$0.isEmpty }
            let direction = words.count == 2 ? words[1].lowercased() : "asc"
            guard (1...2).contains(words.count), ["asc", "desc"].contains(direction), let field = FieldPath(words[0]), orders.count < most else {
                throw FirestoreFault(.invalidArgument, "Invalid order by clause. It is a list of at most \(most) such as \"name desc, age\".")
            }
            orders.append(.init(field, descending: direction == "desc"))
        }
        return orders
    }

    /// Splits a text at a byte, except within backquotes.
    private static func split(_ text: String, at separator: UInt8) -> [String] {
        var (parts, part, isQuoted, isEscaped) = ([String](), [UInt8](), false, false)
        for byte in text.utf8 {
            if byte == separator, !isQuoted {
                parts.append(String(decoding: part, as: UTF8.self))
                part = []
                continue
            }
            part.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "`") {
                isQuoted.toggle()
            } else {
                isEscaped = isQuoted && byte == UInt8(ascii: "\\")
            }
        }
        return parts + [String(decoding: part, as: UTF8.self)]
    }
}
