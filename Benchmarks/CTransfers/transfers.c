// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTransfers.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <nmmintrin.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 256 << 10 };

__attribute__((target("sse4.2"))) uint32_t transfers_crc32c(uint32_t sum, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    uint64_t state = ~sum & 0xffffffffu;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        state = _mm_crc32_u64(state, word);
    }
    for (; count > 0; count--) state = _mm_crc32_u8((uint32_t)state, *next++);
    return ~(uint32_t)state;
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int send_all(int socket, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return 0;
        bytes += sent;
        count -= (size_t)sent;
    }
    return 1;
}

/// Reads a head into `buffer`, which gets a zero after it. Returns the bytes read beyond the head, from `*rest`, or a negative number.
static ssize_t read_head(int socket, char *buffer, size_t size, char **rest) {
    size_t have = 0;
    for (;;) {
        ssize_t count = recv(socket, buffer + have, size - 1 - have, 0);
        if (count <= 0) return -1;
        have += (size_t)count;
        buffer[have] = 0;
        char *end = memmem(buffer, have, "\r\n\r\n", 4);
        if (end) {
            *end = 0;
            *rest = end + 4;
            return (ssize_t)(buffer + have - *rest);
        }
        if (have == size - 1) return -1;
    }
}

static long long content_length(const char *head) {
    const char *field = strcasestr(head, "\r\nContent-Length:");
    return field ? atoll(field + 17) : -1;
}

// The loop of the ceiling.

static int receive_upload(int socket, char *buffer, const char *path) {
    char *rest;
    ssize_t count = read_head(socket, buffer, PIECE, &rest);
    long long left = count < 0 ? -1 : content_length(buffer);
    if (left < 0) return 0;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
    uint32_t sum = 0;
    while (left > 0) {
        if (count == 0) {
            rest = buffer;
            count = recv(socket, buffer, PIECE, 0);
        }
        if (count <= 0) break;
        EVP_DigestUpdate(hash, rest, (size_t)count);
        sum = transfers_crc32c(sum, rest, (size_t)count);
        if (write(file, rest, (size_t)count) != count) break;
        left -= count;
        count = 0;
    }
    unsigned char digest[32];
    EVP_DigestFinal_ex(hash, digest, NULL);
    EVP_MD_CTX_free(hash);
    int isDone = left == 0 && fdatasync(file) == 0;
    close(file);
    char answer[128];
    int length = snprintf(answer, sizeof answer, "HTTP/1.1 201 Created\r\nContent-Length: 8\r\n\r\n%08x", sum);
    return isDone && send_all(socket, answer, (size_t)length);
}

int transfers_serve(int port, const char *folder) {
    struct sockaddr_in address = loopback(port);
    int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 64)) return -1;
    char *buffer = malloc(PIECE), path[4096];
    snprintf(path, sizeof path, "%s/upload", folder);
    for (;;) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) return -1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        while (receive_upload(connection, buffer, path)) continue;
        close(connection);
    }
}

// The ceiling of small uploads: threads that sync each file and its folder.

struct small_server {
    int epoll;
    int folder;
    int number;
};

static int receive_small(int socket, char *buffer, struct small_server *server) {
    char *rest, name[48], waiting[64];
    ssize_t count = read_head(socket, buffer, PIECE, &rest);
    long long length = count < 0 ? -1 : content_length(buffer);
    if (length < 0 || length > PIECE / 2) return 0;
    for (ssize_t more; count < length; count += more) {
        more = recv(socket, rest + count, (size_t)(length - count), 0);
        if (more <= 0) return 0;
    }
    unsigned char digest[32];
    EVP_Digest(rest, (size_t)length, digest, NULL, EVP_sha256(), NULL);
    snprintf(name, sizeof name, "file-%d-%d", server->epoll, server->number++);
    snprintf(waiting, sizeof waiting, "%s.part", name);
    int file = openat(server->folder, waiting, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int isDone = write(file, rest, (size_t)length) == length && fdatasync(file) == 0;
    close(file);
    isDone = isDone && renameat(server->folder, waiting, server->folder, name) == 0 && fsync(server->folder) == 0;
    const char *answer = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
    return isDone && send_all(socket, answer, strlen(answer));
}

static void *serve_small(void *argument) {
    struct small_server *server = argument;
    char *buffer = malloc(PIECE);
    for (;;) {
        struct epoll_event event;
        if (epoll_wait(server->epoll, &event, 1, -1) != 1) continue;
        if (!receive_small(event.data.fd, buffer, server)) close(event.data.fd);
    }
}

int transfers_serve_small(int port, const char *folder, int threads) {
    struct small_server servers[16];
    struct sockaddr_in address = loopback(port);
    int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1, count = threads > 16 ? 16 : threads;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 256)) return -1;
    for (int i = 0; i < count; i++) {
        servers[i] = (struct small_server){epoll_create1(0), open(folder, O_RDONLY | O_DIRECTORY), 0};
        pthread_t thread;
        pthread_create(&thread, NULL, serve_small, &servers[i]);
    }
    for (int next = 0;; next = (next + 1) % count) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) return -1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = connection};
        epoll_ctl(servers[next].epoll, EPOLL_CTL_ADD, connection, &event);
    }
}

// The load.

static const char *upload_body;
static atomic_int failures, begun;

/// Discards a body; `count` bytes of it are read already.
static int discard(int socket, long long length, ssize_t count) {
    static char unused[1];
    long long left = length - count;
    while (left > 0) {
        ssize_t received = recv(socket, unused, left > 1 << 20 ? 1 << 20 : (size_t)left, MSG_TRUNC);
        if (received <= 0) return 0;
        left -= received;
    }
    return left == 0;
}

/// Writes the request's first lines. A `*` in the path stands for a number of which each exchange has another.
static int begin_head(char *head, size_t size, const char *method, const struct transfers_load *load, long number) {
    const char *star = strchr(load->path, '*');
    int length = star ? snprintf(head, size, "%s %.*s%ld%s HTTP/1.1\r\nHost: a\r\n", method, (int)(star - load->path), load->path, number, star + 1)
                      : snprintf(head, size, "%s %s HTTP/1.1\r\nHost: a\r\n", method, load->path);
    if (*load->token) length += snprintf(head + length, size - (size_t)length, "Authorization: Bearer %s\r\n", load->token);
    return length;
}

static int exchange(int socket, const struct transfers_load *load, int round, long number, char *buffer) {
    char head[4096], *rest;
    size_t wanted = load->file_bytes;
    int length = begin_head(head, sizeof head, load->upload_bytes ? "PUT" : "GET", load, number);
    char *more = head + length;
    size_t room = sizeof head - (size_t)length;
    if (load->upload_bytes) {
        length += snprintf(more, room, "Content-Length: %zu\r\n\r\n", load->upload_bytes);
    } else if (load->range_bytes) {
        size_t offset = (size_t)round * load->range_bytes % (load->file_bytes - load->range_bytes + 1);
        wanted = load->range_bytes;
        length += snprintf(more, room, "Range: bytes=%zu-%zu\r\n\r\n", offset, offset + wanted - 1);
    } else {
        length += snprintf(more, room, "\r\n");
    }
    if (!send_all(socket, head, (size_t)length)) return 0;
    if (load->upload_bytes && !send_all(socket, upload_body, load->upload_bytes)) return 0;
    ssize_t count = read_head(socket, buffer, 16 << 10, &rest);
    if (count < 0 || strncmp(buffer, "HTTP/1.1 20", 11) != 0) return 0;
    long long body = content_length(buffer);
    if (!load->upload_bytes && body != (long long)wanted) return 0;
    return discard(socket, body < 0 ? 0 : body, count);
}

static void *run_connection(void *argument) {
    const struct transfers_load *load = argument;
    int mine = atomic_fetch_add(&begun, 1);
    struct sockaddr_in address = loopback(load->port);
    char *buffer = malloc(16 << 10);
    int connection = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    int isFine = connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
    for (int round = 0; isFine && round < load->rounds; round++) {
        isFine = exchange(connection, load, round, (long)mine * load->rounds + round, buffer);
    }
    if (!isFine) atomic_fetch_add(&failures, 1);
    close(connection);
    free(buffer);
    return NULL;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double transfers_run(const struct transfers_load *load) {
    pthread_t threads[256];
    int count = load->connections > 256 ? 256 : load->connections;
    char *body = NULL;
    if (load->upload_bytes) {
        body = malloc(load->upload_bytes);
        for (size_t i = 0; i < load->upload_bytes; i++) body[i] = (char)(i * 2654435761u >> 13);
    }
    upload_body = body;
    atomic_store(&failures, 0);
    atomic_store(&begun, 0);
    double start = seconds();
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run_connection, (void *)load);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    double taken = seconds() - start;
    free(body);
    return atomic_load(&failures) ? -1 : taken;
}
