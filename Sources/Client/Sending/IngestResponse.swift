// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The response to an accepted ingest request.
struct IngestResponse: Decodable {
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
        guard let taken = try? JSONDecoder().decode(IngestResponse.self, from: body) else { return nil }
        self = taken
    }

    /// The results to report to the developer. Duplicate IDs are left out, since retries cause them.
    func verdicts(on upload: UploadRequest) -> [Verdict] {
        (results ?? []).compactMap { result in
            guard let kind = Verdict.Result(rawValue: result.result), let code = result.code, !["event_duplicate", "crash_duplicate"].contains(code)
            else {
                return nil
            }
            return Verdict(
                result: kind, name: upload.name(at: result.index), code: code, field: result.field, message: result.message ?? "")
        }
    }
}

/// A problem document (RFC 9457) of the daemon.
struct Problem: Decodable {
    struct Field: Decodable {
        var code: String
    }

    var code: String?
    var detail: String?
    var errors: [Field]?

    /// Decodes a body; all fields are `nil` if it is not a problem document.
    init(_ body: Data) {
        self = (try? JSONDecoder().decode(Problem.self, from: body)) ?? Problem()
    }

    private init() {}
}
