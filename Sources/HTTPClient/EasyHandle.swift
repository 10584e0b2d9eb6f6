// SPDX-License-Identifier: Apache-2.0

import CCurl

/// One libcurl handle and what it points at, freed together.
///
/// libcurl copies texts and bodies, but of a list of fields it keeps the pointer; so that lives here, as long as the handle.
struct EasyHandle: ~Copyable {
    /// For what takes handles of libcurl; it is this value's own and gone with it.
    let handle: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?

    /// Started once, before the first handle, as libcurl demands.
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
        // libcurl takes 0 for "no limit", and there is none without.
        try set(option, max(1, Int(min(seconds, 86_400)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)))
    }

    func set(_ option: CURLoption, _ text: String) throws {
        try check(signalbox_curl_set_text(handle, option, text))
    }

    func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer?) throws {
        try check(signalbox_curl_set_pointer(handle, option, pointer))
    }

    /// In place of those set before.
    mutating func setFields(_ fields: some Sequence<HTTPField>) throws {
        var list: UnsafeMutablePointer<curl_slist>?
        for field in fields {
            // Appending returns the list's head, or nil when memory ran out and the list stands as it was.
            guard let longer = curl_slist_append(list, field.line) else {
                curl_slist_free_all(list)
                throw HTTPClientError(.init(rawValue: Int32(CURLE_OUT_OF_MEMORY.rawValue)), "there is no memory for the request")
            }
            list = longer
        }
        let old = self.fields
        self.fields = list
        try check(signalbox_curl_set_list(handle, CURLOPT_HTTPHEADER, list))
        curl_slist_free_all(old)
    }

    /// Makes it a POST with this body.
    func setBody(_ bytes: [UInt8]) throws {
        // The length first: without it libcurl would copy up to the first zero.
        try check(signalbox_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        try bytes.withUnsafeBufferPointer { bytes in
            // A nil pointer would make libcurl read the body from standard input.
            try check(
                bytes.isEmpty
                    ? signalbox_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "")
                    : signalbox_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress))
        }
    }

    /// What holds for every request of ours, whoever sends it.
    func setHouseRules() throws {
        // A name such as `..` in a path is a name, not a way up.
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        // Nor does it take one from the environment.
        try set(CURLOPT_PROXY, "")
        // Without it libcurl times name look-ups with SIGALRM, which a process with threads cannot stand.
        try set(CURLOPT_NOSIGNAL, 1)
    }

    /// Has the callbacks called with `owner`, which must outlive the exchange.
    func setReceivers(_ owner: UnsafeMutableRawPointer, header: @escaping curl_write_callback, write: @escaping curl_write_callback) throws {
        try check(signalbox_curl_set_write(handle, CURLOPT_HEADERFUNCTION, header))
        try set(CURLOPT_HEADERDATA, owner)
        try check(signalbox_curl_set_write(handle, CURLOPT_WRITEFUNCTION, write))
        try set(CURLOPT_WRITEDATA, owner)
    }

    /// Has it called about once a second, and ends the exchange when it says so.
    func setProgress(_ owner: UnsafeMutableRawPointer, _ callback: @escaping curl_xferinfo_callback) throws {
        try check(signalbox_curl_set_progress(handle, callback))
        try set(CURLOPT_XFERINFODATA, owner)
        try set(CURLOPT_NOPROGRESS, 0)
    }

    /// Has one called in place of socket(2), and the other before each request with the address it would go to.
    func setAddressChecks(
        _ owner: UnsafeMutableRawPointer, openSocket: @escaping curl_opensocket_callback, beforeRequest: @escaping curl_prereq_callback
    ) throws {
        try check(signalbox_curl_set_open_socket(handle, openSocket))
        try set(CURLOPT_OPENSOCKETDATA, owner)
        try check(signalbox_curl_set_before_request(handle, beforeRequest))
        try set(CURLOPT_PREREQDATA, owner)
    }

    /// Does the whole exchange on this thread.
    func perform() throws {
        try check(curl_easy_perform(handle))
    }

    /// The last answer's status; 0 without one.
    var status: Int {
        var status = 0
        signalbox_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// How long the last exchange took.
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
    /// No memory, threads or descriptors for it.
    static let notStarted = HTTPClientError(.init(rawValue: Int32(CURLE_FAILED_INIT.rawValue)), "libcurl could not be started")
}
