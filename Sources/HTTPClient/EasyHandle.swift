import CCurl

/// One libcurl handle and what it points at, freed together.
///
/// libcurl copies texts, but of a body and a list of fields it keeps the pointers; so both live here, as long as the handle.
struct EasyHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var body: UnsafeMutableBufferPointer<UInt8>?

    /// Started once, before the first handle, as libcurl demands.
    private static let isLibraryReady = signalbox_curl_global_init() == CURLE_OK

    init() throws {
        guard EasyHandle.isLibraryReady, let handle = curl_easy_init() else {
            throw HTTPClientError(.init(rawValue: Int32(CURLE_FAILED_INIT.rawValue)), "libcurl could not be started")
        }
        self.handle = handle
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        body?.deallocate()
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

    mutating func setFields(_ lines: [String]) throws {
        for line in lines {
            // Appending returns the list's head, or nil when memory ran out and the list stands as it was.
            guard let longer = curl_slist_append(fields, line) else {
                throw HTTPClientError(.init(rawValue: Int32(CURLE_OUT_OF_MEMORY.rawValue)), "there is no memory for the request")
            }
            fields = longer
        }
        try check(signalbox_curl_set_list(handle, CURLOPT_HTTPHEADER, fields))
    }

    mutating func setBody(_ bytes: [UInt8]) throws {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        body = copy
        try check(signalbox_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        // A nil pointer would make libcurl read the body from standard input.
        try check(
            bytes.isEmpty
                ? signalbox_curl_set_text(handle, CURLOPT_POSTFIELDS, "") : signalbox_curl_set_pointer(handle, CURLOPT_POSTFIELDS, copy.baseAddress))
    }

    /// Has the callbacks called with `transfer`, which must outlive `perform`.
    func setCallbacks(
        _ transfer: UnsafeMutableRawPointer, header: @escaping curl_write_callback, write: @escaping curl_write_callback,
        progress: @escaping curl_xferinfo_callback
    ) throws {
        try check(signalbox_curl_set_write(handle, CURLOPT_HEADERFUNCTION, header))
        try check(signalbox_curl_set_pointer(handle, CURLOPT_HEADERDATA, transfer))
        try check(signalbox_curl_set_write(handle, CURLOPT_WRITEFUNCTION, write))
        try check(signalbox_curl_set_pointer(handle, CURLOPT_WRITEDATA, transfer))
        try check(signalbox_curl_set_progress(handle, progress))
        try check(signalbox_curl_set_pointer(handle, CURLOPT_XFERINFODATA, transfer))
        try set(CURLOPT_NOPROGRESS, 0)
    }

    /// Does the whole exchange on this thread.
    func perform() throws {
        try check(curl_easy_perform(handle))
    }

    private func check(_ code: CURLcode) throws {
        guard code != CURLE_OK else { return }
        throw HTTPClientError(.init(rawValue: Int32(code.rawValue)), String(cString: curl_easy_strerror(code)))
    }
}
