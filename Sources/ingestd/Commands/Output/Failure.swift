// SPDX-License-Identifier: Apache-2.0

import Database
import Glibc
import HTTPClient
import HTTPServer
import Platform
import AcrossStores

extension Failure {
    /// The message and hint of any error that ends a command.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let usage as UsageError: self.init(usage)
        case let refusal as Refusal: self.init(refusal.detail, hint: refusal.hint)
        case let error as ConfigurationError: self.init(error)
        case let error as StoreError: self.init(error.description, hint: error.hint)
        case let error as FileError: self.init(error.description, hint: Failure.hint(for: error))
        case let error as HTTPServerError: self.init(error.description, hint: Failure.hint(for: error))
        case let error as HTTPClientError: self.init("The daemon did not respond: \(error.message).", hint: "Check its log.")
        default:
            let known = StoreError(damage: error) ?? StoreError(fullDisk: error)
            self.init(known?.description ?? "\(error)", hint: known?.hint)
        }
    }

    private init(_ error: ConfigurationError) {
        let others = error.problems.count - 1
        let first = error.problems.first.map(\.description) ?? "The configuration is invalid."
        self.init(first, hint: others > 0 ? "There are \(others) more problems; `ingestd check` lists them." : nil)
    }

    private static func hint(for error: FileError) -> String? {
        if error.number == EACCES || error.number == EPERM {
            return "Run ingestd as the owner of the folder, or name another with --data."
        }
        if error.number == EROFS { return "Name a writable folder with --data." }
        if error.isMissing { return "Check that its parent folder exists." }
        return error.isFull ? "Free disk space." : nil
    }

    private static func hint(for error: HTTPServerError) -> String? {
        switch error {
        case .cannotListen(_, _): "Stop the program that listens there, or choose another address with --listen HOST:PORT."
        case .invalidAddress(let text) where text.hasPrefix("/") || text.hasSuffix(".sock"):
            "A socket path has at most 107 bytes; use a folder with a shorter path."
        case .notListening: "Pass only systemd sockets of ListenStream= with an address and a port."
        case .outOfDescriptors: "Raise the limit of open files."
        case .invalidAddress: nil
        }
    }
}
