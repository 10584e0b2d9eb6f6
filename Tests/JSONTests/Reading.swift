// SPDX-License-Identifier: Apache-2.0

import JSON

/// Parses a document with its own parser and returns the tape.
func tape(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONTape {
    try tape(Array(text.utf8), limits: limits)
}

func tape(_ bytes: [UInt8], in range: Range<Int>? = nil, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONTape {
    try JSONParser().withReader { reader throws(JSONError) in try reader.parse(bytes, in: range, limits: limits) }
}

func failure(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError? {
    do throws(JSONError) {
        _ = try tape(bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

func failure(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONError? {
    failure(Array(text.utf8), limits: limits)
}
