// SPDX-License-Identifier: Apache-2.0

// Streams over libcurl, on Linux alone. The functions are looked up in the process, as Foundation links the library there: the client needs
// neither its headers nor a dependency. Numbers of options are a part of libcurl's ABI.

#define _GNU_SOURCE
#include "CSignalbox.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    OPTION_WRITE_DATA = 10001,
    OPTION_URL = 10002,
    OPTION_ERROR_BUFFER = 10010,
    OPTION_HEADER_LIST = 10023,
    OPTION_HEADER_DATA = 10029,
    OPTION_METHOD = 10036,
    OPTION_ROOTS_FILE = 10065,
    OPTION_BODY = 10165,
    OPTION_WRITE_FUNCTION = 20011,
    OPTION_HEADER_FUNCTION = 20079,
    OPTION_BODY_BYTES = 30120,
    OPTION_CLOSE_AT_END = 75,
    OPTION_NO_SIGNAL = 99,
    OPTION_PROTOCOLS = 181,
    OPTION_NO_PROXY_HEAD = 265,
    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    INFO_ROOTS_FILE = 0x10003d,
    INFO_SENT_BYTES = 0x600007,
    MESSAGE_DONE = 1,
    ERROR_BYTES = 256,
};

/// A finished transfer, as `curl_multi_info_read` tells of it.
struct message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

static struct {
    void *(*easy_init)(void);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_getinfo)(void *easy, int info, ...);
    void (*easy_cleanup)(void *easy);
    const char *(*easy_strerror)(int code);
    void *(*slist_append)(void *list, const char *line);
    void (*slist_free_all)(void *list);
    void *(*multi_init)(void);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *running);
    int (*multi_poll)(void *multi, void *extra, unsigned int extra_count, int timeout_milliseconds, int *count);
    int (*multi_wakeup)(void *multi);
    struct message *(*multi_info_read)(void *multi, int *left);
    int (*multi_cleanup)(void *multi);
    bool is_there;
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *function, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void load(void) {
    curl.is_there = find(&curl.easy_init, "curl_easy_init") && find(&curl.easy_setopt, "curl_easy_setopt") &&
                    find(&curl.easy_getinfo, "curl_easy_getinfo") &&
                    find(&curl.easy_cleanup, "curl_easy_cleanup") && find(&curl.easy_strerror, "curl_easy_strerror") &&
                    find(&curl.slist_append, "curl_slist_append") && find(&curl.slist_free_all, "curl_slist_free_all") &&
                    find(&curl.multi_init, "curl_multi_init") && find(&curl.multi_add_handle, "curl_multi_add_handle") &&
                    find(&curl.multi_remove_handle, "curl_multi_remove_handle") && find(&curl.multi_perform, "curl_multi_perform") &&
                    find(&curl.multi_poll, "curl_multi_poll") && find(&curl.multi_wakeup, "curl_multi_wakeup") &&
                    find(&curl.multi_info_read, "curl_multi_info_read") && find(&curl.multi_cleanup, "curl_multi_cleanup");
}

struct csignalbox_stream {
    void *multi, *easy, *fields;
    atomic_bool is_cancelled;
    void *context;
    csignalbox_stream_on_line on_line;
    csignalbox_stream_on_bytes on_bytes;
    bool has_received, is_stopped;
    char error[ERROR_BYTES];
};

csignalbox_stream *csignalbox_stream_new(void) {
    pthread_once(&once, load);
    if (!curl.is_there) return NULL;
    csignalbox_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->multi = curl.multi_init();
    stream->easy = curl.easy_init();
    if (stream->multi && stream->easy) return stream;
    csignalbox_stream_free(stream);
    return NULL;
}

void csignalbox_stream_free(csignalbox_stream *stream) {
    if (stream->easy) curl.easy_cleanup(stream->easy);
    if (stream->multi) curl.multi_cleanup(stream->multi);
    curl.slist_free_all(stream->fields);
    free(stream);
}

bool csignalbox_stream_set_request(csignalbox_stream *stream, const char *url, const char *method, const void *body, size_t count) {
    void *easy = stream->easy;
    if (curl.easy_setopt(easy, OPTION_URL, url) != 0) return false;
    if (count > 0) {
        if (curl.easy_setopt(easy, OPTION_BODY_BYTES, (int64_t)count) != 0 || curl.easy_setopt(easy, OPTION_BODY, body) != 0) return false;
    }
    return curl.easy_setopt(easy, OPTION_METHOD, method) == 0;
}

bool csignalbox_stream_add_field(csignalbox_stream *stream, const char *line) {
    void *longer = curl.slist_append(stream->fields, line);
    if (longer) stream->fields = longer;
    return longer != NULL;
}

static size_t take_line(char *line, size_t size, size_t count, void *context) {
    csignalbox_stream *stream = context;
    stream->has_received = true;
    stream->on_line(stream->context, line, size * count);
    return size * count;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *context) {
    csignalbox_stream *stream = context;
    stream->has_received = true;
    if (!stream->is_stopped && stream->on_bytes(stream->context, bytes, size * count)) return size * count;
    stream->is_stopped = true;
    // Any other number than that of the bytes ends the transfer.
    return 0;
}

/// Names the roots of trust to a libcurl that was built without any, as Foundation does.
static void set_roots(void *easy) {
    static const char *const files[] = {
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/usr/share/ssl/certs/ca-bundle.crt",
        "/usr/local/share/certs/ca-root-nss.crt",
        "/etc/ssl/cert.pem",
    };
    char *known = NULL;
    if (curl.easy_getinfo(easy, INFO_ROOTS_FILE, &known) != 0 || known) return;
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (access(files[index], R_OK) != 0) continue;
        curl.easy_setopt(easy, OPTION_ROOTS_FILE, files[index]);
        return;
    }
}

static bool prepare(csignalbox_stream *stream) {
    void *easy = stream->easy;
    set_roots(easy);
    return curl.easy_setopt(easy, OPTION_HEADER_LIST, stream->fields) == 0 && curl.easy_setopt(easy, OPTION_ERROR_BUFFER, stream->error) == 0 &&
           curl.easy_setopt(easy, OPTION_WRITE_FUNCTION, take_bytes) == 0 && curl.easy_setopt(easy, OPTION_WRITE_DATA, stream) == 0 &&
           curl.easy_setopt(easy, OPTION_HEADER_FUNCTION, take_line) == 0 && curl.easy_setopt(easy, OPTION_HEADER_DATA, stream) == 0 &&
           curl.easy_setopt(easy, OPTION_NO_SIGNAL, 1L) == 0 &&
           // This thread closes the connection, as it gets no SIGPIPE.
           curl.easy_setopt(easy, OPTION_CLOSE_AT_END, 1L) == 0 &&
           // The head of a proxy's answer to CONNECT is not that of the response.
           curl.easy_setopt(easy, OPTION_NO_PROXY_HEAD, 1L) == 0 &&
           curl.easy_setopt(easy, OPTION_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS)) == 0;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// The bytes of the request's body that were sent.
static int64_t sent_bytes(csignalbox_stream *stream) {
    int64_t count = 0;
    curl.easy_getinfo(stream->easy, INFO_SENT_BYTES, &count);
    return count;
}

/// The end of a transfer that does not run any more.
static enum csignalbox_stream_end outcome(csignalbox_stream *stream) {
    int left = 0;
    struct message *message = curl.multi_info_read(stream->multi, &left);
    int result = message && message->kind == MESSAGE_DONE ? message->data.result : 0;
    if (stream->is_stopped) return CSIGNALBOX_STREAM_STOPPED;
    if (message && result == 0) return CSIGNALBOX_STREAM_ENDED;
    if (stream->error[0] == 0 && message) {
        const char *text = curl.easy_strerror(result);
        for (size_t index = 0; index + 1 < ERROR_BYTES && text[index] != 0; index++) stream->error[index] = text[index];
    }
    return CSIGNALBOX_STREAM_FAILED;
}

/// Waits for the network between the steps of the transfer. Only the network, libcurl's own limits and a cancellation wake the thread.
static enum csignalbox_stream_end transfer(csignalbox_stream *stream, int64_t silence) {
    int64_t last = milliseconds(), sent = 0;
    while (!atomic_load(&stream->is_cancelled)) {
        int running = 0;
        stream->has_received = false;
        if (curl.multi_perform(stream->multi, &running) != 0) return CSIGNALBOX_STREAM_FAILED;
        if (running == 0) return outcome(stream);
        int64_t now = milliseconds(), sent_now = sent_bytes(stream);
        if (stream->has_received || sent_now != sent) last = now;
        sent = sent_now;
        if (now - last >= silence) return CSIGNALBOX_STREAM_SILENT;
        int64_t rest = silence - (now - last);
        if (curl.multi_poll(stream->multi, NULL, 0, rest < INT_MAX ? (int)rest : INT_MAX, NULL) != 0) return CSIGNALBOX_STREAM_FAILED;
    }
    return CSIGNALBOX_STREAM_STOPPED;
}

enum csignalbox_stream_end csignalbox_stream_run(
    csignalbox_stream *stream, int64_t silence, void *context, csignalbox_stream_on_line on_line, csignalbox_stream_on_bytes on_bytes) {
    // A TLS library may write to a socket that the other end has closed.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    stream->context = context;
    stream->on_line = on_line;
    stream->on_bytes = on_bytes;
    if (!prepare(stream) || curl.multi_add_handle(stream->multi, stream->easy) != 0) return CSIGNALBOX_STREAM_FAILED;
    enum csignalbox_stream_end end = transfer(stream, silence);
    curl.multi_remove_handle(stream->multi, stream->easy);
    return end;
}

void csignalbox_stream_cancel(csignalbox_stream *stream) {
    atomic_store(&stream->is_cancelled, true);
    curl.multi_wakeup(stream->multi);
}

const char *csignalbox_stream_error(const csignalbox_stream *stream) { return stream->error; }

#endif
