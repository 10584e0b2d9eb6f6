// SPDX-License-Identifier: Apache-2.0

#include "CSimdJSON.h"
#include "scalars.h"

#include <algorithm>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Walks over the outermost levels of an unchecked document, without checking its grammar and without allocating. Deeper levels are
// skipped 64 bytes at a time, so that a hostile body costs less than a nanosecond a byte.

namespace {

constexpr size_t block_size = 64;

/// One bit per byte of a block of 64.
using bits = uint64_t;

struct block {
    bits quotes, backslashes, opens, closes, ends;
};

#if defined(__SSE2__)

bits equal(const __m128i part[4], char c) noexcept {
    const __m128i wanted = _mm_set1_epi8(c);
    bits found = 0;
    for (int i = 0; i < 4; i++) found |= bits(uint16_t(_mm_movemask_epi8(_mm_cmpeq_epi8(part[i], wanted)))) << (16 * i);
    return found;
}

block read(const uint8_t *bytes) noexcept {
    __m128i part[4], folded[4];
    bits spaces = 0;
    for (int i = 0; i < 4; i++) {
        part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes + 16 * i));
        // Turns [ into { and ] into }.
        folded[i] = _mm_or_si128(part[i], _mm_set1_epi8(0x20));
        const __m128i at_most_space = _mm_cmpeq_epi8(_mm_max_epu8(part[i], _mm_set1_epi8(0x20)), _mm_set1_epi8(0x20));
        spaces |= bits(uint16_t(_mm_movemask_epi8(at_most_space))) << (16 * i);
    }
    const bits closes = equal(folded, '}');
    return {equal(part, '"'), equal(part, '\\'), equal(folded, '{'), closes, closes | spaces | equal(part, ',')};
}

#else

block read(const uint8_t *bytes) noexcept {
    block found = {};
    for (size_t i = 0; i < block_size; i++) {
        const uint8_t c = bytes[i], folded = c | 0x20;
        found.quotes |= bits(c == '"') << i;
        found.backslashes |= bits(c == '\\') << i;
        found.opens |= bits(folded == '{') << i;
        found.closes |= bits(folded == '}') << i;
        found.ends |= bits(folded == '}' || c <= 0x20 || c == ',') << i;
    }
    return found;
}

#endif

/// The blocks of a range. Bytes after its end read as NUL.
class blocks {
public:
    blocks(const uint8_t *bytes, size_t at, size_t end) noexcept : bytes(bytes), at(at), end(end) {}

    bool next(block &found) noexcept {
        if (at >= end) return false;
        start = at;
        at += block_size;
        if (at <= end) {
            found = read(bytes + start);
        } else {
            uint8_t tail[block_size] = {};
            memcpy(tail, bytes + start, end - start);
            found = read(tail);
        }
        return true;
    }

    /// Returns the document offset of a bit of the last block, at most the end.
    size_t place(int bit) const noexcept { return std::min(start + size_t(bit), end); }

private:
    const uint8_t *bytes;
    size_t at, end, start = 0;
};

int lowest(bits mask) noexcept { return __builtin_ctzll(mask); }

constexpr bits even_bits = 0x5555555555555555;

/// Finds quotes that begin or end a string, that is all except those after an odd number of backslashes.
class quote_finder {
public:
    /// Adding the first backslash of a run to the run carries to the byte after it. The run is odd if that byte is at an odd distance.
    bits quotes(const block &found) noexcept {
        if (!found.backslashes && !escapes_next) return found.quotes;
        const bits first = escapes_next ? 1 : 0;
        const bits runs = found.backslashes & ~first;
        const bits starts = runs & ~(runs << 1);
        bits behind_even, behind_odd;
        __builtin_add_overflow(runs, starts & even_bits, &behind_even);
        escapes_next = __builtin_add_overflow(runs, starts & ~even_bits, &behind_odd);
        const bits escaped = (behind_even & ~runs & ~even_bits) | (behind_odd & ~runs & even_bits);
        return found.quotes & ~(escaped | first);
    }

private:
    bool escapes_next = false;
};

/// The effect of four brackets on the depth: the sum, and the lowest value on the way.
struct four_brackets {
    int8_t sum[256], least[256];

    constexpr four_brackets() : sum(), least() {
        for (int i = 0; i < 256; i++) {
            for (int bit = 0; bit < 4; bit++) {
                sum[i] += int8_t((i >> bit & 1) - (i >> (bit + 4) & 1));
                if (sum[i] < least[i]) least[i] = sum[i];
            }
        }
    }
};

constexpr four_brackets brackets_of;

/// Replaces each bit with the parity of itself and all lower bits. Applied to quotes, it gives the bytes inside strings, opening quotes
/// included.
bits parity(bits mask) noexcept {
    for (int step = 1; step < 64; step *= 2) mask ^= mask << step;
    return mask;
}

size_t skip_string(const uint8_t *bytes, size_t at, size_t end) noexcept {
    quote_finder finder;
    blocks rest(bytes, at, end);
    block found;
    bool is_open = false;
    while (rest.next(found)) {
        bits quotes = finder.quotes(found);
        if (!is_open && quotes) {
            is_open = true;
            quotes &= quotes - 1;
        }
        if (quotes) return rest.place(lowest(quotes) + 1);
    }
    return end;
}

size_t skip_container(const uint8_t *bytes, size_t at, size_t end) noexcept {
    quote_finder finder;
    blocks rest(bytes, at, end);
    block found;
    bits in_string = 0;
    size_t depth = 0;
    while (rest.next(found)) {
        const bits strings = parity(finder.quotes(found)) ^ in_string;
        in_string = strings >> 63 ? ~bits(0) : 0;
        const bits opens = found.opens & ~strings, closes = found.closes & ~strings;
        const size_t leaving = size_t(__builtin_popcountll(closes));
        if (depth > leaving) {
            depth += size_t(__builtin_popcountll(opens)) - leaving;
            continue;
        }
        for (int bit = 0; bit < 64; bit += 4) {
            const int four = int(opens >> bit & 15) | int(closes >> bit & 15) << 4;
            const ptrdiff_t least = ptrdiff_t(depth) + brackets_of.least[four];
            if (least > 0 || !(four >> 4)) {
                depth = size_t(ptrdiff_t(depth) + brackets_of.sum[four]);
                continue;
            }
            for (int at = bit; at < bit + 4; at++) {
                depth += (opens >> at & 1) - (closes >> at & 1);
                if (depth == 0 && closes >> at & 1) return rest.place(at + 1);
            }
        }
    }
    return end;
}

size_t skip_scalar(const uint8_t *bytes, size_t at, size_t end) noexcept {
    blocks rest(bytes, at, end);
    block found;
    while (rest.next(found)) {
        if (found.ends) return rest.place(lowest(found.ends));
    }
    return end;
}

size_t skip_space(const uint8_t *bytes, size_t at, size_t end) noexcept {
    while (at < end && sbj::is_space(bytes[at])) at++;
    return at;
}

size_t skip_value(const uint8_t *bytes, size_t at, size_t end) noexcept {
    switch (bytes[at]) {
    case '"': return skip_string(bytes, at, end);
    case '{': case '[': return skip_container(bytes, at, end);
    default: return skip_scalar(bytes, at, end);
    }
}

/// Skips white space and a comma, to a member's key or an element.
size_t skip_comma(const uint8_t *bytes, size_t at, size_t end) noexcept {
    at = skip_space(bytes, at, end);
    return at < end && bytes[at] == ',' ? skip_space(bytes, at + 1, end) : at;
}

} // namespace

extern "C" size_t sbj_skip_value(const uint8_t *bytes, size_t at, size_t end) noexcept { return skip_value(bytes, at, end); }

extern "C" int sbj_next_member(const uint8_t *bytes, size_t end, sbj_member *member) noexcept {
    size_t at = member->next = skip_comma(bytes, member->next, end);
    if (at >= end || bytes[at] != '"') return 0;
    member->key = at + 1;
    at = skip_string(bytes, at, end);
    if (at >= end) return 0;
    member->key_count = at - 1 - member->key;
    at = skip_space(bytes, at, end);
    if (at >= end || bytes[at] != ':') return 0;
    member->value = skip_space(bytes, at + 1, end);
    return member->value < end;
}

extern "C" int sbj_next_element(const uint8_t *bytes, size_t end, sbj_member *element) noexcept {
    element->next = element->value = skip_comma(bytes, element->next, end);
    return element->value < end && bytes[element->value] != ']';
}
