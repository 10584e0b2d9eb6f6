// SPDX-License-Identifier: Apache-2.0

import CCurl

extension CourierFailure {
    /// Maps a libcurl result code; `nil` for success.
    init?(_ code: CURLcode) {
        switch code {
        case CURLE_OK: return nil
        case CURLE_URL_MALFORMAT: self = .badURL
        case CURLE_COULDNT_RESOLVE_HOST: self = .couldNotResolve
        case CURLE_COULDNT_CONNECT: self = .couldNotConnect
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_GOT_NOTHING: self = .noResponse
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: self = .connectionReset
        case CURLE_PEER_FAILED_VERIFICATION: self = .certificateRejected
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM: self = .tlsFailed
        // libcurl reports a response without a head as an unsupported protocol; the scheme was checked before.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_PARTIAL_FILE, CURLE_WRITE_ERROR, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_FILESIZE_EXCEEDED:
            self = .badResponse
        default: self = .failed
        }
    }
}
