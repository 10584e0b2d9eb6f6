// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A libcurl easy handle and the memory it refers to, freed together.
///
/// libcurl copies strings and bodies, but keeps the pointer to a field list, which therefore lives as long as the handle.
struct EasyHandle: ~Copyable {
    /// The raw handle, owned by this object.
    let handle: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?

    /// Global initialisation, once before the first handle, as libcurl requires.
    static let isLibraryReady = signalbox_curl_global_init() == CURLE_OK

    init() throws {
        guard EasyHandle.isLibraryReady, let handle = curl_easy_init() else {
            throw HTTPClientError.notStarted
        }
        self.handle = handle
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    func set(_ option: CURLoption, _ value: Int) throws {
        try check(signalbox_curl_set_long(handle, option, value))
    }

    func set(_ option: CURLoption, _ duration: Duration) throws {
        let (seconds, attoseconds) = duration.components
        // 0 means no limit to libcurl; every exchange has one.
        try set(option, max(1, Int(min(seconds, 86_400)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)))
    }

    func set(_ option: CURLoption, _ text: String) throws {
        try check(signalbox_curl_set_text(handle, option, text))
    }

    func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer?) throws {
        try check(signalbox_curl_set_pointer(handle, option, pointer))
    }

    /// Replaces the fields.
    mutating func setFields(_ fields: some Sequence<HTTPField>) throws {
        var list: UnsafeMutablePointer<curl_slist>?
        for field in fields {
            // Appending returns the head of the list, or nil if memory is short; the list is then unchanged.
            guard let longer = curl_slist_append(list, field.line) else {
                curl_slist_free_all(list)
                throw HTTPClientError(.init(rawValue: Int32(CURLE_OUT_OF_MEMORY.rawValue)), "no memory for the request")
            }
            list = longer
        }
        let old = self.fields
        self.fields = list
        try check(signalbox_curl_set_list(handle, CURLOPT_HTTPHEADER, list))
        curl_slist_free_all(old)
    }

    /// Sets the receivers of a mail. libcurl keeps a pointer to the list, so it takes the place of the fields.
    mutating func setReceiversOfMail(_ addresses: [String]) throws {
        var list: UnsafeMutablePointer<curl_slist>?
        for address in addresses {
            guard let longer = curl_slist_append(list, address) else {
                curl_slist_free_all(list)
                throw HTTPClientError(.init(rawValue: Int32(CURLE_OUT_OF_MEMORY.rawValue)), "no memory for the mail")
            }
            list = longer
        }
        curl_slist_free_all(fields)
        fields = list
        try check(signalbox_curl_set_list(handle, CURLOPT_MAIL_RCPT, list))
    }

    /// Sets the callback that supplies the bytes to upload.
    func setSource(_ owner: UnsafeMutableRawPointer, read: @escaping curl_read_callback) throws {
        try check(signalbox_curl_set_read(handle, read))
        try set(CURLOPT_READDATA, owner)
    }

    /// Makes it an upload of this length, whose bytes come from the source.
    func setUpload(length: Int) throws {
        try set(CURLOPT_UPLOAD, 1)
        try check(signalbox_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(length)))
    }

    /// Makes it a POST with this body.
    func setBody(_ bytes: [UInt8]) throws {
        // Set the length first; without it libcurl copies up to the first zero byte.
        try check(signalbox_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        try bytes.withUnsafeBufferPointer { bytes in
            // A nil pointer would make libcurl read the body from standard input.
            try check(
                bytes.isEmpty
                    ? signalbox_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "")
                    : signalbox_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress))
        }
    }

    /// Sets the options of every request.
    func setDefaultOptions() throws {
        // `..` in a path is sent as is.
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        // Ignore proxies in the environment.
        try set(CURLOPT_PROXY, "")
        // Otherwise libcurl uses SIGALRM for name lookup timeouts, which is unsafe in a process with threads.
        try set(CURLOPT_NOSIGNAL, 1)
    }

    /// Sets the callbacks with `owner` as their context. It must outlive the exchange.
    func setReceivers(_ owner: UnsafeMutableRawPointer, header: @escaping curl_write_callback, write: @escaping curl_write_callback) throws {
        try check(signalbox_curl_set_write(handle, CURLOPT_HEADERFUNCTION, header))
        try set(CURLOPT_HEADERDATA, owner)
        try check(signalbox_curl_set_write(handle, CURLOPT_WRITEFUNCTION, write))
        try set(CURLOPT_WRITEDATA, owner)
    }

    /// Sets a callback that runs about once a second and can abort the exchange.
    func setProgress(_ owner: UnsafeMutableRawPointer, _ callback: @escaping curl_xferinfo_callback) throws {
        try check(signalbox_curl_set_progress(handle, callback))
        try set(CURLOPT_XFERINFODATA, owner)
        try set(CURLOPT_NOPROGRESS, 0)
    }

    /// Sets the callbacks that replace socket(2) and that approve the address of each request.
    func setAddressChecks(
        _ owner: UnsafeMutableRawPointer, openSocket: @escaping curl_opensocket_callback, beforeRequest: @escaping curl_prereq_callback
    ) throws {
        try check(signalbox_curl_set_open_socket(handle, openSocket))
        try set(CURLOPT_OPENSOCKETDATA, owner)
        try check(signalbox_curl_set_before_request(handle, beforeRequest))
        try set(CURLOPT_PREREQDATA, owner)
    }

    /// Runs the exchange on this thread.
    func perform() throws {
        try check(curl_easy_perform(handle))
    }

    /// The status of the last response; 0 without one.
    var status: Int {
        var status = 0
        signalbox_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// The status with which a proxy answered the last CONNECT; 0 without one.
    var proxyStatus: Int {
        var status = 0
        signalbox_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
        return status
    }

    /// The bytes of requests that were written in the exchange, also on earlier connections.
    var writtenBytes: Int {
        var bytes = 0
        signalbox_curl_get_long(handle, CURLINFO_REQUEST_SIZE, &bytes)
        return bytes
    }

    /// The duration of the last exchange.
    var milliseconds: Int {
        var microseconds: curl_off_t = 0
        signalbox_curl_get_offset(handle, CURLINFO_TOTAL_TIME_T, &microseconds)
        return Int(microseconds / 1_000)
    }

    private func check(_ code: CURLcode) throws {
        guard code != CURLE_OK else { return }
        throw HTTPClientError(.init(rawValue: Int32(code.rawValue)), String(cString: curl_easy_strerror(code)))
    }
}

extension HTTPClientError {
    /// Whether memory, threads or descriptors ran out.
    static let notStarted = HTTPClientError(.init(rawValue: Int32(CURLE_FAILED_INIT.rawValue)), "libcurl could not be initialized")
}
