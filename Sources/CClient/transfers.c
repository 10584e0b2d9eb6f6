// SPDX-License-Identifier: Apache-2.0

// Requests over libcurl, on Linux alone.

#define _GNU_SOURCE
#include "CSignalbox.h"
#include "curl.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// As `URLSession` has for one host.
enum { MAX_HOST_CONNECTIONS = 6 };

struct csignalbox_transfer {
    const struct csignalbox_curl *curl;
    void *easy, *fields;
    atomic_bool is_cancelled;
    csignalbox_receiver receiver;
    /// In milliseconds: the longest silence, and the time of the last bytes.
    int64_t silence, last;
    int64_t sent;
    bool has_received, is_stopped;
    /// How often the request was about to be sent, if it may be sent only once.
    int requests;
    /// Of the list that has it.
    csignalbox_transfer *next;
    char error[ERROR_BYTES];
};

struct csignalbox_loop {
    const struct csignalbox_curl *curl;
    pthread_mutex_t lock;
    /// Those that the thread has not taken yet, oldest first. Guarded by `lock`.
    csignalbox_transfer *added;
    /// Whether the loop ends. Guarded by `lock`.
    bool is_stopped;
    /// NULL after the loop has ended; set while `lock` is held.
    void *multi;
    /// Of the thread alone.
    csignalbox_transfer *running;
};

// Transfers

csignalbox_transfer *csignalbox_transfer_new(void) {
    const struct csignalbox_curl *curl = csignalbox_curl();
    csignalbox_transfer *transfer = curl ? calloc(1, sizeof *transfer) : NULL;
    if (!transfer) return NULL;
    transfer->curl = curl;
    transfer->easy = curl->easy_init();
    if (transfer->easy) return transfer;
    free(transfer);
    return NULL;
}

void csignalbox_transfer_free(csignalbox_transfer *transfer) {
    transfer->curl->easy_cleanup(transfer->easy);
    transfer->curl->slist_free_all(transfer->fields);
    free(transfer);
}

bool csignalbox_transfer_set_request(csignalbox_transfer *transfer, const char *url, const char *method, const void *body, size_t count) {
    const struct csignalbox_curl *curl = transfer->curl;
    void *easy = transfer->easy;
    if (curl->easy_setopt(easy, OPTION_URL, url) != 0) return false;
    if (count > 0) {
        if (curl->easy_setopt(easy, OPTION_BODY_BYTES, (int64_t)count) != 0 || curl->easy_setopt(easy, OPTION_BODY, body) != 0) return false;
    }
    if (strcmp(method, "HEAD") == 0 && curl->easy_setopt(easy, OPTION_NO_RESPONSE_BODY, 1L) != 0) return false;
    return curl->easy_setopt(easy, OPTION_METHOD, method) == 0;
}

bool csignalbox_transfer_accept_encodings(csignalbox_transfer *transfer) {
    // An empty list is all that libcurl knows.
    return transfer->curl->easy_setopt(transfer->easy, OPTION_ACCEPT_ENCODING, "") == 0;
}

/// Returns 0 for the first time that the request is about to be sent. Any other number ends the transfer.
static int count_request(void *context, char *remote_address, char *local_address, int remote_port, int local_port) {
    csignalbox_transfer *transfer = context;
    (void)remote_address, (void)local_address, (void)remote_port, (void)local_port;
    return transfer->requests++ == 0 ? 0 : 1;
}

void csignalbox_transfer_send_once(csignalbox_transfer *transfer) {
    const struct csignalbox_curl *curl = transfer->curl;
    curl->easy_setopt(transfer->easy, OPTION_BEFORE_REQUEST, count_request);
    curl->easy_setopt(transfer->easy, OPTION_BEFORE_REQUEST_DATA, transfer);
}

bool csignalbox_transfer_add_field(csignalbox_transfer *transfer, const char *line) {
    void *longer = transfer->curl->slist_append(transfer->fields, line);
    if (longer) transfer->fields = longer;
    return longer != NULL;
}

void csignalbox_transfer_cancel(csignalbox_transfer *transfer) { atomic_store(&transfer->is_cancelled, true); }

const char *csignalbox_transfer_error(const csignalbox_transfer *transfer) { return transfer->error; }

static size_t take_line(char *line, size_t size, size_t count, void *context) {
    csignalbox_transfer *transfer = context;
    transfer->has_received = true;
    transfer->receiver.on_line(transfer->receiver.context, line, size * count);
    return size * count;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *context) {
    csignalbox_transfer *transfer = context;
    transfer->has_received = true;
    if (!transfer->is_stopped && transfer->receiver.on_bytes(transfer->receiver.context, bytes, size * count)) return size * count;
    transfer->is_stopped = true;
    // Any other number than that of the bytes ends the transfer.
    return 0;
}

/// Names the roots of trust to a libcurl that was built without any, as Foundation does.
static void set_roots(const struct csignalbox_curl *curl, void *easy) {
    static const char *const files[] = {
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/usr/share/ssl/certs/ca-bundle.crt",
        "/usr/local/share/certs/ca-root-nss.crt",
        "/etc/ssl/cert.pem",
    };
    char *known = NULL;
    if (curl->easy_getinfo(easy, INFO_ROOTS_FILE, &known) != 0 || known) return;
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (access(files[index], R_OK) != 0) continue;
        curl->easy_setopt(easy, OPTION_ROOTS_FILE, files[index]);
        return;
    }
}

static bool prepare(csignalbox_transfer *transfer) {
    const struct csignalbox_curl *curl = transfer->curl;
    void *easy = transfer->easy;
    set_roots(curl, easy);
    // An end must not wait for the resolver's thread. Older versions do not have this option.
    curl->easy_setopt(easy, OPTION_QUICK_EXIT, 1L);
    return curl->easy_setopt(easy, OPTION_HEADER_LIST, transfer->fields) == 0 &&
           curl->easy_setopt(easy, OPTION_ERROR_BUFFER, transfer->error) == 0 &&
           curl->easy_setopt(easy, OPTION_WRITE_FUNCTION, take_bytes) == 0 && curl->easy_setopt(easy, OPTION_WRITE_DATA, transfer) == 0 &&
           curl->easy_setopt(easy, OPTION_HEADER_FUNCTION, take_line) == 0 && curl->easy_setopt(easy, OPTION_HEADER_DATA, transfer) == 0 &&
           curl->easy_setopt(easy, OPTION_NO_SIGNAL, 1L) == 0 &&
           // The head of a proxy's answer to CONNECT is not that of the response.
           curl->easy_setopt(easy, OPTION_NO_PROXY_HEAD, 1L) == 0 &&
           curl->easy_setopt(easy, OPTION_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS)) == 0;
}

static void set_error(csignalbox_transfer *transfer, const char *text) {
    if (transfer->error[0] != 0) return;
    for (size_t index = 0; index + 1 < ERROR_BYTES && text[index] != 0; index++) transfer->error[index] = text[index];
}

/// The end of a transfer that libcurl has finished.
static enum csignalbox_transfer_end outcome(csignalbox_transfer *transfer, int result) {
    if (transfer->is_stopped) return CSIGNALBOX_TRANSFER_STOPPED;
    if (result == 0) return CSIGNALBOX_TRANSFER_ENDED;
    if (transfer->requests > 1) strcpy(transfer->error, "The connection ended without a response.");
    set_error(transfer, transfer->curl->easy_strerror(result));
    return CSIGNALBOX_TRANSFER_FAILED;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// The milliseconds until the transfer has been silent for too long.
static int64_t rest(csignalbox_transfer *transfer) {
    int64_t now = milliseconds(), sent = 0;
    // The bytes of the request's body.
    transfer->curl->easy_getinfo(transfer->easy, INFO_SENT_BYTES, &sent);
    if (transfer->has_received || sent != transfer->sent) transfer->last = now;
    transfer->has_received = false;
    transfer->sent = sent;
    return transfer->silence - (now - transfer->last);
}

// The loop

csignalbox_loop *csignalbox_loop_new(void) {
    const struct csignalbox_curl *curl = csignalbox_curl();
    csignalbox_loop *loop = curl ? calloc(1, sizeof *loop) : NULL;
    if (!loop) return NULL;
    loop->curl = curl;
    loop->multi = curl->multi_init();
    // Without free file descriptors libcurl makes a loop that nothing wakes; its requests would never begin or end.
    if (loop->multi && curl->multi_setopt(loop->multi, LOOP_OPTION_MAX_HOST_CONNECTIONS, (long)MAX_HOST_CONNECTIONS) == 0 &&
        curl->multi_wakeup(loop->multi) == 0 && pthread_mutex_init(&loop->lock, NULL) == 0) {
        return loop;
    }
    if (loop->multi) curl->multi_cleanup(loop->multi);
    free(loop);
    return NULL;
}

void csignalbox_loop_free(csignalbox_loop *loop) {
    if (loop->multi) loop->curl->multi_cleanup(loop->multi);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

bool csignalbox_loop_add(csignalbox_loop *loop, csignalbox_transfer *transfer, int64_t silence_milliseconds, csignalbox_receiver receiver) {
    transfer->silence = silence_milliseconds;
    transfer->receiver = receiver;
    pthread_mutex_lock(&loop->lock);
    bool is_open = !loop->is_stopped;
    if (is_open) {
        csignalbox_transfer **place = &loop->added;
        while (*place) place = &(*place)->next;
        *place = transfer;
        loop->curl->multi_wakeup(loop->multi);
    }
    pthread_mutex_unlock(&loop->lock);
    return is_open;
}

void csignalbox_loop_wake(csignalbox_loop *loop) {
    pthread_mutex_lock(&loop->lock);
    if (loop->multi) loop->curl->multi_wakeup(loop->multi);
    pthread_mutex_unlock(&loop->lock);
}

void csignalbox_loop_stop(csignalbox_loop *loop) {
    pthread_mutex_lock(&loop->lock);
    loop->is_stopped = true;
    if (loop->multi) loop->curl->multi_wakeup(loop->multi);
    pthread_mutex_unlock(&loop->lock);
}

/// Begins the transfers that were added. Returns whether the loop was stopped.
static bool begin_added(csignalbox_loop *loop) {
    pthread_mutex_lock(&loop->lock);
    csignalbox_transfer *added = loop->added;
    loop->added = NULL;
    bool is_stopped = loop->is_stopped;
    pthread_mutex_unlock(&loop->lock);
    while (added) {
        csignalbox_transfer *transfer = added;
        added = transfer->next;
        transfer->last = milliseconds();
        if (is_stopped || atomic_load(&transfer->is_cancelled)) {
            transfer->receiver.on_end(transfer->receiver.context, CSIGNALBOX_TRANSFER_STOPPED);
        } else if (prepare(transfer) && loop->curl->multi_add_handle(loop->multi, transfer->easy) == 0) {
            transfer->next = loop->running;
            loop->running = transfer;
        } else {
            set_error(transfer, "The request cannot be made.");
            transfer->receiver.on_end(transfer->receiver.context, CSIGNALBOX_TRANSFER_FAILED);
        }
    }
    return is_stopped;
}

/// Ends the transfer at a place of the list.
static void end(csignalbox_loop *loop, csignalbox_transfer **place, enum csignalbox_transfer_end how) {
    csignalbox_transfer *transfer = *place;
    *place = transfer->next;
    loop->curl->multi_remove_handle(loop->multi, transfer->easy);
    transfer->receiver.on_end(transfer->receiver.context, how);
}

/// Ends the transfers that libcurl has finished.
static void end_finished(csignalbox_loop *loop) {
    struct csignalbox_curl_message *message;
    int left = 0;
    while ((message = loop->curl->multi_info_read(loop->multi, &left))) {
        if (message->kind != MESSAGE_DONE) continue;
        void *easy = message->easy;
        int result = message->data.result;
        csignalbox_transfer **place = &loop->running;
        while (*place && (*place)->easy != easy) place = &(*place)->next;
        if (*place) end(loop, place, outcome(*place, result));
    }
}

/// Ends the transfers that were cancelled or have been silent for too long. Returns the milliseconds until another one is.
static int64_t end_unwanted(csignalbox_loop *loop, bool all) {
    int64_t soonest = INT_MAX;
    csignalbox_transfer **place = &loop->running;
    while (*place) {
        int64_t left = rest(*place);
        if (all || atomic_load(&(*place)->is_cancelled)) {
            end(loop, place, CSIGNALBOX_TRANSFER_STOPPED);
        } else if (left <= 0) {
            end(loop, place, CSIGNALBOX_TRANSFER_SILENT);
        } else {
            if (left < soonest) soonest = left;
            place = &(*place)->next;
        }
    }
    return soonest;
}

/// Ends all transfers after a failure of libcurl, such as a lack of memory.
static void fail(csignalbox_loop *loop) {
    while (loop->running) {
        set_error(loop->running, "libcurl has failed.");
        end(loop, &loop->running, CSIGNALBOX_TRANSFER_FAILED);
    }
}

/// Waits for the network between the steps of the transfers. Only the network, libcurl's own limits, the end of a silence and calls of the
/// functions above wake the thread.
void csignalbox_loop_run(csignalbox_loop *loop) {
    // A TLS library may write to a socket that the other end has closed.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    while (true) {
        bool is_stopped = begin_added(loop);
        int running = 0;
        bool works = loop->curl->multi_perform(loop->multi, &running) == 0;
        end_finished(loop);
        if (!works) fail(loop);
        int64_t left = end_unwanted(loop, is_stopped);
        if (is_stopped) break;
        works = works && loop->curl->multi_poll(loop->multi, NULL, 0, (int)left, NULL) == 0;
        // A failure may last.
        if (!works) poll(NULL, 0, 1000);
    }
    pthread_mutex_lock(&loop->lock);
    void *multi = loop->multi;
    loop->multi = NULL;
    pthread_mutex_unlock(&loop->lock);
    // This thread closes the connections, as it gets no SIGPIPE.
    loop->curl->multi_cleanup(multi);
}

#endif
