// SPDX-License-Identifier: Apache-2.0

import CTransfers

/// A load of uploads or downloads, on connections that are kept open.
enum TransferLoad {
    static func run(_ options: Options) throws {
        let seconds = withStrings(options.path, options.key) { path, token in
            var load = transfers_load()
            (load.port, load.path, load.token) = (Int32(options.port), path, token)
            (load.connections, load.rounds) = (Int32(options.clients), Int32(options.requests))
            (load.upload_bytes, load.range_bytes, load.file_bytes) = (options.uploadBytes, options.rangeBytes, options.fileBytes)
            return transfers_run(&load)
        }
        guard seconds > 0 else { throw BenchmarkError("\(options.name): a response was not a success, or not whole") }
        let count = options.clients * options.requests
        let size = options.uploadBytes > 0 ? options.uploadBytes : options.rangeBytes > 0 ? options.rangeBytes : options.fileBytes
        let rate = Double(count * size) / seconds / Double(1 << 20)
        print("\(options.name): \(Int(rate.rounded())) MiB/s, \((Double(count) / seconds * 10).rounded() / 10) requests/s")
    }

    private static func withStrings<T>(_ first: String, _ second: String, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> T) -> T {
        first.withCString { a in second.withCString { b in body(a, b) } }
    }
}
