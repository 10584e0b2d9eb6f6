// SPDX-License-Identifier: Apache-2.0

#include "scalars.h"

#include <charconv>
#include <cstring>

namespace sbj {

namespace {

bool is_digit(uint8_t c) noexcept { return c >= '0' && c <= '9'; }

bool is_hex(uint8_t c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Checks eight bytes at a time. Most strings contain no backslash and are read only here.
bool has_backslash(const uint8_t *p, const uint8_t *end) noexcept {
    constexpr uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        word ^= ones * '\\';
        if ((word - ones) & ~word & highs) return true;
    }
    for (; p < end; p++) {
        if (*p == '\\') return true;
    }
    return false;
}

/// Returns whether an escape starts at the backslash `p`, and moves past it. Surrogates are paired only when the text is unescaped.
bool skip_escape(const uint8_t *&p, const uint8_t *end) noexcept {
    if (end - p < 2) return false;
    if (p[1] == 'u') {
        if (end - p < 6 || !is_hex(p[2]) || !is_hex(p[3]) || !is_hex(p[4]) || !is_hex(p[5])) return false;
        p += 6;
        return true;
    }
    if (p[1] == 0 || !strchr("\"\\/bfnrt", p[1])) return false;
    p += 2;
    return true;
}

const uint8_t *digits(const uint8_t *p, const uint8_t *end) noexcept {
    while (p < end && is_digit(*p)) p++;
    return p;
}

struct number_shape {
    const uint8_t *first_digit;
    const uint8_t *after_integer;
    bool integral;
};

bool shape_of(const uint8_t *p, const uint8_t *end, number_shape &shape) noexcept {
    if (p < end && *p == '-') p++;
    shape.first_digit = p;
    p = digits(p, end);
    if (p == shape.first_digit || (*shape.first_digit == '0' && p - shape.first_digit > 1)) return false;
    shape.after_integer = p;
    if (p < end && *p == '.') {
        const uint8_t *from = ++p;
        p = digits(p, end);
        if (p == from) return false;
    }
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        const uint8_t *from = p;
        p = digits(p, end);
        if (p == from) return false;
    }
    shape.integral = p == shape.after_integer;
    return p == end;
}

void read_integer(const uint8_t *p, const uint8_t *end, bool negative, sbj_token &token) noexcept {
    uint64_t value = 0;
    token.kind = sbj_big_number;
    for (; p < end; p++) {
        if (__builtin_mul_overflow(value, uint64_t(10), &value) || __builtin_add_overflow(value, uint64_t(*p - '0'), &value)) return;
    }
    constexpr uint64_t top = uint64_t(1) << 63;
    if (negative && value > top) return;
    token.kind = !negative && value >= top ? sbj_unsigned : sbj_integer;
    token.bits = negative ? 0 - value : value;
}

void read_double(const uint8_t *p, const uint8_t *end, sbj_token &token) noexcept {
    double value = 0;
    const auto [after, error] = std::from_chars(reinterpret_cast<const char *>(p), reinterpret_cast<const char *>(end), value);
    if (error != std::errc() || after != reinterpret_cast<const char *>(end)) {
        token.kind = sbj_big_number;
        return;
    }
    token.kind = sbj_double;
    memcpy(&token.bits, &value, sizeof value);
}

bool is_word(const uint8_t *p, const uint8_t *end, const char *word, size_t count) noexcept {
    return size_t(end - p) == count && memcmp(p, word, count) == 0;
}

} // namespace

const uint8_t *read_string(const uint8_t *bytes, const uint8_t *p, const uint8_t *next, sbj_token &token) noexcept {
    const uint8_t *first = p + 1;
    const uint8_t *close = next - 1;
    while (close > p && is_space(*close)) close--;
    if (close <= p || *close != '"') return p;
    token.offset = uint32_t(first - bytes);
    token.count = uint32_t(close - first);
    token.escaped = has_backslash(first, close);
    if (!token.escaped) return nullptr;
    for (const uint8_t *at = first; at < close;) {
        if (*at != '\\') {
            at++;
        } else if (!skip_escape(at, close)) {
            return at;
        }
    }
    return nullptr;
}

bool read_number(const uint8_t *p, const uint8_t *end, sbj_token &token) noexcept {
    number_shape shape;
    if (!shape_of(p, end, shape)) return false;
    if (shape.integral) {
        read_integer(shape.first_digit, end, *p == '-', token);
    } else {
        read_double(p, end, token);
    }
    return true;
}

bool read_literal(const uint8_t *p, const uint8_t *end, sbj_token &token) noexcept {
    if (is_word(p, end, "true", 4)) {
        token.kind = sbj_true;
    } else if (is_word(p, end, "false", 5)) {
        token.kind = sbj_false;
    } else if (is_word(p, end, "null", 4)) {
        token.kind = sbj_null;
    } else {
        return false;
    }
    return true;
}

} // namespace sbj
