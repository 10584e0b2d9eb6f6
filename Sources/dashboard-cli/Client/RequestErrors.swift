// SPDX-License-Identifier: Apache-2.0

import API
import HTTPClient
import Panes
import Platform

extension RequestError {
    init(whatever error: any Error) {
        self = error as? RequestError ?? RequestError(kind: .rejected, what: Failure(error).what)
    }

    init(_ error: HTTPClientError, from daemon: String) {
        // The daemon is there: this is no outage.
        if error.code == .responseTooLarge {
            self.init(kind: .tooLarge, what: "The response of \(daemon) is too large: \(error.message)")
            return
        }
        let (what, hint): (String, String?) =
            switch error.code {
            case .couldNotConnect: ("No daemon responds at \(daemon)", "Check the daemon and the address.")
            case .couldNotResolve: ("Host not found: \(daemon)", "Check the address.")
            case .timedOut: ("\(daemon) took too long to respond", "Check the daemon's log and load.")
            case .certificateRejected, .tlsFailed: ("\(daemon) cannot be trusted: \(error.message)", "Check the proxy's certificate.")
            default: ("\(daemon) did not respond: \(error.message)", nil)
            }
        self.init(kind: .unreachable, what: what, hint: hint)
    }

    /// Reads a response that is not a success: a problem of RFC 9457 from the daemon, or the page of a proxy.
    init(_ response: HTTPClientResponse, from daemon: String) {
        let kind: Kind =
            switch response.status {
            case 401: .unknownKey
            case 403: .denied
            case 404: .unknown
            case 429, 502, 503, 504: .busy
            default: .rejected
            }
        let problem = try? ProblemResponse(response: response.body)
        let what = problem?.detail ?? "\(daemon) responded with status \(response.status)"
        let hint = problem == nil ? "Is the address that of a Signalbox daemon?" : problem?.hint
        self.init(kind: kind, what: what, hint: kind == .unknownKey ? "Log in again with `dashboard-cli login`." : hint)
    }
}

extension RequestError {
    /// The exit code of a command that failed with this error.
    fileprivate var exitCode: Int32 {
        switch kind {
        case .unknownKey, .denied: ExitCode.denied
        case .unreachable: ExitCode.unreachable
        case .unknown, .busy, .tooLarge, .rejected: ExitCode.failed
        }
    }
}

extension Failure {
    /// Converts every error that can reach `main`.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let usage as UsageError: self.init(usage)
        case let error as RequestError: self.init(error.what, hint: error.hint, exitCode: error.exitCode)
        case let refusal as Refusal: self.init(refusal.detail, hint: refusal.hint)
        case let error as FileError: self.init(error.description, hint: nil)
        case let error as SystemError: self.init(error.reason, hint: nil)
        default: self.init("\(error)", hint: nil)
        }
    }
}
