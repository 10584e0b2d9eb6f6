// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the daemon says of a request that it took.
struct Taken: Decodable {
    struct Result: Decodable {
        var index: Int
        var result: String
        var code: String?
        var field: String?
        var message: String?
    }

    var accepted: Int
    var duplicates: Int
    var quarantined: Int
    var results: [Result]?

    init?(_ body: Data) {
        guard let taken = try? JSONDecoder().decode(Taken.self, from: body) else { return nil }
        self = taken
    }

    /// What whoever writes the app should know; that something came twice is how retries work, and none of it.
    func verdicts(on mailing: Mailing) -> [Verdict] {
        (results ?? []).compactMap { result in
            guard let kind = Verdict.Result(rawValue: result.result), let code = result.code, !["event_duplicate", "crash_duplicate"].contains(code)
            else {
                return nil
            }
            return Verdict(
                result: kind, name: mailing.name(at: result.index), code: code, field: result.field, message: result.message ?? "")
        }
    }
}

/// What the daemon says of a request that it did not take.
struct Problem: Decodable {
    struct Field: Decodable {
        var code: String
    }

    var code: String?
    var detail: String?
    var errors: [Field]?

    /// Whatever is no problem of the daemon's says nothing.
    init(_ body: Data) {
        self = (try? JSONDecoder().decode(Problem.self, from: body)) ?? Problem()
    }

    private init() {}
}
