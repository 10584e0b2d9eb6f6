// SPDX-License-Identifier: Apache-2.0

/// A function: where its code is, who may call it, its limits, and what triggers it.
///
///     {"url": "https://api.example/receipt", "auth": "user", "timeout": 30, "triggers": [{"on": "event", "name": "purchase"}]}
package struct FunctionDefinition: Sendable, Equatable {
    /// The code that carries out calls and runs.
    package enum Target: Sendable, Equatable {
        /// An HTTP address. `ingestd` checks it further: its form, and the addresses that it may lead to.
        case address(url: String, AddressFormat)
        /// A topic on which each run is published. It cannot be called.
        case topic(String)
        case worker(WorkerProgram)
    }

    /// The form of requests to an HTTP address.
    package enum AddressFormat: String, Sendable, CaseIterable {
        case signalbox, firebase
    }

    /// The proof that a caller needs.
    package enum Auth: String, Sendable, CaseIterable {
        /// An ID token or an ingest key.
        case any
        /// An ID token.
        case user
        case none
    }

    /// A role that the key of a run has.
    package enum Grant: String, Sendable, CaseIterable {
        case send, data, accounts
    }

    package var target: Target
    package var auth = Auth.user
    package var timeoutSeconds = 60
    /// The number of calls and runs under way at once, and of instances of a worker.
    package var concurrency = 80
    /// The number of calls that wait for a place. Further ones are refused.
    package var waiting = 100
    /// The number of retries of a run; nil for those of webhooks.
    package var retries: Int?
    package var order: OrderKey?
    package var grants: [Grant] = []
    package var triggers: [FunctionTrigger] = []

    package static let maximumTimeoutSeconds = 1_800
    /// The time limit of a call, for functions whose runs may take longer.
    package static let maximumCallSeconds = 540
    package static let maximumConcurrency = 1_000
    package static let maximumWaiting = 10_000
    package static let maximumRetries = 20
    package static let maximumTriggers = 20
    package static let maximumURLBytes = 2_048
    package static let maximumBytes = 64 << 10

    package init(_ target: Target) {
        self.target = target
        if case .worker = target { concurrency = WorkerProgram.standardConcurrency }
    }

    package var callSeconds: Int { min(timeoutSeconds, FunctionDefinition.maximumCallSeconds) }
}

/// A program of the operator's that carries out calls and runs.
package struct WorkerProgram: Sendable, Equatable {
    /// How calls reach the program: lines of JSON on its input and output, or AWS Lambda's Runtime API.
    package enum Transport: String, Sendable, CaseIterable {
        case lines, lambda
    }

    package let transport: Transport
    /// The absolute path of the program, then its arguments.
    package let command: [String]
    /// The folder in which it runs, and which it may read; nil for that of the program.
    package let folder: String?

    /// The concurrency of a function that does not state it. Each call under way needs a process.
    package static let standardConcurrency = 4
    package static let maximumArguments = 64
    package static let maximumArgumentBytes = 4_096

    /// Returns nil unless the command begins with an absolute path, as the folder does, and each part fits.
    package init?(_ transport: Transport, _ command: [String], in folder: String? = nil) {
        guard command.first?.utf8.first == UInt8(ascii: "/"), command.count <= WorkerProgram.maximumArguments,
            (command + [folder ?? "/"]).allSatisfy({ $0.utf8.count <= WorkerProgram.maximumArgumentBytes && !$0.utf8.contains(0) }),
            folder?.utf8.first ?? UInt8(ascii: "/") == UInt8(ascii: "/")
        else { return nil }
        (self.transport, self.command, self.folder) = (transport, command, folder)
    }
}
