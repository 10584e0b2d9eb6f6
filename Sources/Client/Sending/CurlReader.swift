// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import CSignalbox
    import Foundation
    import FoundationNetworking

    /// Reads the response of a transfer. Used by the thread of the loop alone, once the transfer was added.
    final class CurlReader {
        private let transfer: CurlTransfer
        private let url: URL?
        private let onData: (Data, HTTPURLResponse?) -> Bool
        /// Called once, with `nil` if the loop was stopped before it took the transfer.
        let onEnd: (CurlTransfer.End?) -> Void
        private var status = 0
        private var fields: [String: String] = [:]
        /// Made when the head is complete.
        private var response: HTTPURLResponse?

        init(
            _ transfer: CurlTransfer, _ url: URL?, _ onData: @escaping (Data, HTTPURLResponse?) -> Bool,
            _ onEnd: @escaping (CurlTransfer.End?) -> Void
        ) {
            (self.transfer, self.url, self.onData, self.onEnd) = (transfer, url, onData, onEnd)
        }

        /// Returns functions for the loop. The last one takes the reference over.
        static func receiver(_ reader: Unmanaged<CurlReader>) -> csignalbox_receiver {
            csignalbox_receiver(
                context: reader.toOpaque(),
                on_line: { context, line, count in
                    guard let context, let line else { return }
                    let bytes = UnsafeRawBufferPointer(start: line, count: count)
                    Unmanaged<CurlReader>.fromOpaque(context).takeUnretainedValue().take(line: String(decoding: bytes, as: UTF8.self))
                },
                on_bytes: { context, bytes, count in
                    guard let context, let bytes else { return true }
                    return Unmanaged<CurlReader>.fromOpaque(context).takeUnretainedValue().take(Data(bytes: bytes, count: count))
                },
                on_end: { context, end in
                    guard let context else { return }
                    Unmanaged<CurlReader>.fromOpaque(context).takeRetainedValue().finish(end)
                })
        }

        private func take(line: String) {
            let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
            if line.hasPrefix("HTTP/") {
                // A head of its own is before that of the response: `100 Continue`.
                (status, fields, response) = (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, [:], nil)
            } else if let colon = line.firstIndex(of: ":") {
                fields[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            } else if line.isEmpty, status >= 200, let url {
                response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
            }
        }

        private func take(_ data: Data) -> Bool { onData(data, response) }

        private func finish(_ end: csignalbox_transfer_end) {
            onEnd(CurlTransfer.End(response: response, failure: failure(end)))
        }

        private func failure(_ end: csignalbox_transfer_end) -> String? {
            switch end {
            // libcurl takes a connection that ends within the head for the end of a response.
            case CSIGNALBOX_TRANSFER_ENDED: response == nil ? "The connection was lost." : nil
            case CSIGNALBOX_TRANSFER_STOPPED: "The request was cancelled."
            case CSIGNALBOX_TRANSFER_SILENT: "Nothing was sent or received in time."
            default: transfer.error
            }
        }
    }
#endif
