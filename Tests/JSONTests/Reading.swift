import JSON

/// Reads a document with a parser of its own and hands back the tape.
func tape(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONFailure) -> JSONTape {
    try tape(Array(text.utf8), limits: limits)
}

func tape(_ bytes: [UInt8], in range: Range<Int>? = nil, limits: JSONLimits = JSONLimits()) throws(JSONFailure) -> JSONTape {
    try JSONParser().withReader { reader throws(JSONFailure) in try reader.parse(bytes, in: range, limits: limits) }
}

func failure(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONFailure? {
    do throws(JSONFailure) {
        _ = try tape(bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

func failure(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONFailure? {
    failure(Array(text.utf8), limits: limits)
}

/// Numbers that look random and are the same in every run.
struct FixedRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
