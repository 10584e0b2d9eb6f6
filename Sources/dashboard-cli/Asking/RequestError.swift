// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import JSON
import Platform

/// Why there is no answer, in words for the person who waits for it.
struct RequestError: Error, Equatable, Sendable {
    enum Kind: Sendable {
        /// Nobody answered.
        case unreachable
        /// The key opens nothing.
        case unknownKey
        /// The key does not open this.
        case denied
        /// The daemon does not know the question.
        case unknown
        /// The daemon asks to come back later.
        case busy
        /// Anything else the daemon said no to.
        case refused
    }

    var kind: Kind
    var what: String
    var hint: String?

    /// What happened and what to do, as sentences; answers end theirs with a point, and connections do not.
    var sentences: String {
        let whole = what.hasSuffix(".") ? what : what + "."
        return hint.map { "\(whole) \($0)" } ?? whole
    }
}

extension RequestError {
    init(whatever error: any Error) {
        self = error as? RequestError ?? RequestError(kind: .refused, what: Failure(error).what)
    }

    init(_ error: HTTPClientError, _ profile: Profile) {
        kind = .unreachable
        switch error.code {
        case .couldNotConnect: (what, hint) = ("No daemon answers at \(profile.host)", "Is it running, and is the address right?")
        case .couldNotResolve: (what, hint) = ("There is no host of the name in \(profile.host)", "Is the address right?")
        case .timedOut: (what, hint) = ("\(profile.host) took too long to answer", "Its log may say why.")
        case .certificateRefused, .tlsFailed: (what, hint) = ("\(profile.host) cannot be trusted: \(error.message)", "Check the proxy's certificate.")
        default: (what, hint) = ("\(profile.host) gave no answer: \(error.message)", nil)
        }
    }

    /// From an answer that is no success: a problem of RFC 9457 from the daemon, or whatever a proxy says.
    init(_ response: HTTPClientResponse, _ profile: Profile) {
        switch response.status {
        case 401: kind = .unknownKey
        case 403: kind = .denied
        case 404: kind = .unknown
        case 429, 503, 502, 504: kind = .busy
        default: kind = .refused
        }
        if let problem = try? JSONValue(response.body), !problem.text("detail").isEmpty {
            (what, hint) = (problem.text("detail"), problem["hint"]?.text)
        } else {
            (what, hint) = ("\(profile.host) answered with status \(response.status)", "Is that a daemon of Signalbox?")
        }
        if response.status == 401 { hint = "Log in again with `dashboard-cli login`." }
    }
}

extension RequestError {
    /// With which a command ends that needed an answer.
    fileprivate var exitCode: Int32 {
        switch kind {
        case .unknownKey, .denied: ExitCode.denied
        case .unreachable: ExitCode.unreachable
        case .unknown, .busy, .refused: ExitCode.failed
        }
    }
}

extension Failure {
    /// Every error that can reach the top, in words.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let usage as WrongUsage: self.init(usage)
        case let error as RequestError: self.init(error.what, hint: error.hint, exitCode: error.exitCode)
        case let refusal as Refusal: self.init(refusal.detail, hint: refusal.hint)
        case let error as FileError: self.init(error.description, hint: nil)
        case let error as SystemError: self.init(error.reason, hint: nil)
        default: self.init("\(error)", hint: nil)
        }
    }
}
