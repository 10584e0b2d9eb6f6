// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

extension Confinement {
    /// Replaces SQL functions whose time is the product of two lengths. SQLite checks the time limit only between steps, so such a call could run
    /// long past it. The replacements check before each call and give the same results in linear time. Example: `replace(x, y, z)`.
    func defineFunctions() throws(SQLiteError) {
        try define("trim", 2) { .utf8($0[0].trimmed(of: $0[1], atStart: true, atEnd: true)) }
        try define("ltrim", 2) { .utf8($0[0].trimmed(of: $0[1], atStart: true, atEnd: false)) }
        try define("rtrim", 2) { .utf8($0[0].trimmed(of: $0[1], atStart: false, atEnd: true)) }
        try define("instr", 2) { .integer($0[0].place(of: $0[1])) }
        let longest = bounds.valueBytes
        try define("replace", 3) { texts throws(SQLiteError) in try texts[0].replacing(texts[1], with: texts[2], atMost: longest) }
        // Bounded by the pattern length limit, but still the slowest functions.
        try define("like", 2) { texts throws(SQLiteError) in .integer(try texts[1].isLike(texts[0]) ? 1 : 0) }
        try define("like", 3) { texts throws(SQLiteError) in .integer(try texts[1].isLike(texts[0], escape: texts[2]) ? 1 : 0) }
        try define("glob", 2) { texts throws(SQLiteError) in .integer(try texts[1].isGlob(texts[0]) ? 1 : 0) }
    }

    private func define(_ name: String, _ count: Int, _ body: @escaping ([SQLText]) throws(SQLiteError) -> Value) throws(SQLiteError) {
        try connection.define(name, count) { [unowned self] texts throws(SQLiteError) in
            guard goesOn() else { throw SQLiteError(.interrupted, "interrupted") }
            return try body(texts)
        }
    }
}

extension Connection {
    /// Replaces SQLite's function with this name and number of arguments. A NULL argument gives NULL; if the replacement returns nil, the result
    /// is the first argument.
    fileprivate func define(_ name: String, _ count: Int, _ body: @escaping SQLFunction.Body) throws(SQLiteError) {
        let function = Unmanaged.passRetained(SQLFunction(body))
        // SQLite calls the destructor when the connection closes, or at once on failure.
        let code = sqlite3_create_function_v2(
            handle, name, Int32(count), SQLITE_UTF8 | SQLITE_DETERMINISTIC, function.toOpaque(),
            { context, count, values in
                guard let context, let values, let function = sqlite3_user_data(context) else { return }
                let arguments = UnsafeBufferPointer(start: values, count: Int(count))
                Unmanaged<SQLFunction>.fromOpaque(function).takeUnretainedValue().evaluate(arguments, into: context)
            }, nil, nil, { function in if let function { Unmanaged<SQLFunction>.fromOpaque(function).release() } })
        try check(code, nil)
    }
}

private final class SQLFunction {
    typealias Body = ([SQLText]) throws(SQLiteError) -> Value

    private let body: Body

    init(_ body: @escaping Body) {
        self.body = body
    }

    func evaluate(_ arguments: UnsafeBufferPointer<OpaquePointer?>, into context: OpaquePointer) {
        if arguments.contains(where: { sqlite3_value_type($0) == SQLITE_NULL }) { return sqlite3_result_null(context) }
        do {
            switch try body(arguments.map(SQLText.init)) {
            case .integer(let number): sqlite3_result_int64(context, number)
            case .utf8(let bytes): Cell(context: context).text(copying: bytes)
            // The function changes nothing.
            default: sqlite3_result_value(context, arguments[0])
            }
        } catch {
            sqlite3_result_error(context, error.message, -1)
            sqlite3_result_error_code(context, error.code.rawValue)
        }
    }
}

/// A function argument as text, held by SQLite during the call.
private struct SQLText {
    let isBlob: Bool
    /// Followed by a zero byte, which is not counted.
    private let text: UnsafeRawPointer
    private let count: Int

    init(_ value: OpaquePointer?) {
        // Read the type first; requesting text converts the value.
        isBlob = sqlite3_value_type(value) == SQLITE_BLOB
        text = sqlite3_value_text(value).map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(SQLText.nothing.utf8Start)
        count = Int(sqlite3_value_bytes(value))
    }

    private static let nothing: StaticString = ""

    private var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text, count: count) }

    // MARK: Trimming

    func trimmed(of other: SQLText, atStart: Bool, atEnd: Bool) -> [UInt8] {
        let characters = other.characters
        let start = atStart ? start(behind: characters) : 0
        let end = atEnd ? end(before: characters, from: start) : count
        return Array(bytes[start..<end])
    }

    /// Each character as a number made of its bytes.
    private var characters: Set<UInt64> {
        var (characters, character) = (Set<UInt64>(), UInt64(0))
        for (place, byte) in bytes.enumerated() {
            if place > 0, !SQLText.goesOn(byte) {
                characters.insert(character)
                character = 0
            }
            character = character << 8 | UInt64(byte)
        }
        if count > 0 { characters.insert(character) }
        return characters
    }

    private func start(behind characters: Set<UInt64>) -> Int {
        var (start, character) = (0, UInt64(0))
        for place in 0..<count {
            if place > start, !SQLText.goesOn(bytes[place]) {
                guard characters.contains(character) else { return start }
                (start, character) = (place, 0)
            }
            character = character << 8 | UInt64(bytes[place])
        }
        return characters.contains(character) ? count : start
    }

    private func end(before characters: Set<UInt64>, from start: Int) -> Int {
        var (end, character) = (count, UInt64(0))
        for place in stride(from: count - 1, through: start, by: -1) {
            character |= UInt64(bytes[place]) << (8 * UInt64(end - 1 - place))
            if SQLText.goesOn(bytes[place]) { continue }
            guard characters.contains(character) else { return end }
            (end, character) = (place, 0)
        }
        return end
    }

    /// Whether a byte continues a character (10xxxxxx).
    private static func goesOn(_ byte: UInt8) -> Bool { byte & 0xc0 == 0x80 }

    // MARK: Finding

    /// Returns the position, counted from 1, in characters unless both are blobs; 0 if not found.
    func place(of other: SQLText) -> Int {
        guard let place = place(of: other, from: 0) else { return 0 }
        return 1 + (isBlob && other.isBlob ? place : bytes[..<place].count { !SQLText.goesOn($0) })
    }

    private func place(of other: SQLText, from start: Int) -> Int? {
        memmem(text + start, count - start, other.text, other.count).map { UnsafeRawPointer($0) - text }
    }

    func replacing(_ old: SQLText, with new: SQLText, atMost limit: Int) throws(SQLiteError) -> Value {
        if old.count == 0 { return .null }
        var (made, rest) = ([UInt8](), 0)
        while let place = place(of: old, from: rest) {
            made += bytes[rest..<place]
            made += new.bytes
            rest = place + old.count
            guard made.count + count - rest <= limit else { throw SQLiteError(.tooBig, "string or blob too big") }
        }
        return .utf8(made + bytes[rest...])
    }

    // MARK: Comparing

    func isLike(_ pattern: SQLText, escape: SQLText? = nil) throws(SQLiteError) -> Bool {
        let escapes = escape.map { Array(String(decoding: $0.bytes, as: UTF8.self).unicodeScalars) }
        guard escapes?.count ?? 1 == 1, escapes != ["%"], escapes != ["_"] else {
            throw SQLiteError(.error, "ESCAPE expression must be a single character, and neither % nor _")
        }
        return try matches(pattern) { sqlite3_strlike($0, $1, escapes?.first?.value ?? 0) == 0 }
    }

    func isGlob(_ pattern: SQLText) throws(SQLiteError) -> Bool {
        try matches(pattern) { sqlite3_strglob($0, $1) == 0 }
    }

    /// A blob matches nothing with LIKE, as in Debian's build of SQLite.
    private func matches(_ pattern: SQLText, _ compare: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Bool) throws(SQLiteError) -> Bool {
        guard pattern.count <= Confinement.longestPattern else { throw SQLiteError(.error, "LIKE or GLOB pattern too complex") }
        return !isBlob && !pattern.isBlob && compare(pattern.text.assumingMemoryBound(to: CChar.self), text.assumingMemoryBound(to: CChar.self))
    }
}

extension SQLiteError {
    fileprivate init(_ code: Code, _ message: String) {
        self.init(code: code, message: message, sql: nil, path: "")
    }
}
