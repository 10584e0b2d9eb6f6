// SPDX-License-Identifier: Apache-2.0

import Crashes
import Delivery
import Functions
import HTTPServer
import Platform
import Symbols

// Options that depend on more than one setting.

extension Configuration {
    /// The limits of the HTTP server. Request memory is at least six of the largest bodies, so that a client that is alone, which
    /// may use a third, gets any allowed body through.
    var httpCaps: HTTPServerConfiguration.Caps {
        var caps = http.caps
        caps.requestMemory = max(caps.requestMemory, 6 * (server.maxBody + server.maxDecodedBody))
        return caps
    }

    /// The HTTP server's configuration, with the configured address unless only the control socket is wanted.
    func httpServer(controlSocket: String, onlyControl: Bool) -> HTTPServerConfiguration {
        var configuration = http
        configuration.controlSocket = controlSocket
        configuration.caps = httpCaps
        if onlyControl {
            configuration.loops = 1
            return configuration
        }
        switch server.listen {
        case .tcp(let address, let port): configuration.listen = [.init(host: address.description, port: port)]
        case .unix(let path): configuration.proxySocket = path
        }
        return configuration
    }

    /// The sender's options. In development webhooks may go to this machine.
    var sender: SenderOptions {
        var options = delivery
        if mode == .development {
            options.destinations.addresses.allowed += ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
            options.destinations.mayReachItself = true
        }
        options.userAgent = "Signalbox/\(Version.current)"
        return options
    }

    /// The options of requests to the addresses of functions. Retries, proxy and certificates are those of webhooks.
    var functionSender: SenderOptions {
        var options = sender
        options.destinations.addresses = AddressPolicy(allowing: functions.addresses)
        if mode == .development { options.destinations.addresses.allowed += ["127.0.0.0/8", "::1"].compactMap(AddressRange.init) }
        options.destinations.mayReachItself = mode == .development || !functions.addresses.isEmpty
        options.origin.inFlight = FunctionDefinition.maximumConcurrency
        options.origin.perSecond = 0
        options.origin.lateAfter = .seconds(Int64(FunctionDefinition.maximumTimeoutSeconds))
        options.threads = 1
        options.exchangesPerThread = 512
        options.responseBytes = CallBody.maximumRunBytes
        options.metricNames = .ofFunctions
        return options
    }

    /// The limits of symbol files, which leave the configured free space on disk.
    var symbolFolder: SymbolFolder.Limits {
        var limits = symbols
        limits.freeBytes = Int64(storage.minFreeDisk)
        return limits
    }
}

extension Velocity {
    init(_ configuration: Configuration) {
        self.init()
        window = Timestamp.Span(configuration.crashes.velocityWindow)
        people = configuration.crashes.velocityUsers
        percent = Double(configuration.crashes.velocityPermille) / 10
    }
}
