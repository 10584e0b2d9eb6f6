// SPDX-License-Identifier: Apache-2.0

#include "CSimdJSON.h"
#include "scalars.h"

#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <new>

// The library's first pass, vectorized for the CPU, finds the starts of tokens, checks UTF-8 and rejects control characters in
// strings. Its second passes either unescape every string, so that one unpaired surrogate rejects the document, or check only values that
// are read. The second pass here checks the strict grammar, each rule in one place, and writes the tokens that decoders read.

struct sbj_parser {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> scanner;
};

namespace {

constexpr size_t smallest_capacity = size_t(1) << 16;
constexpr size_t largest_document = size_t(1) << 31;

constexpr ptrdiff_t nowhere = -1;

sbj_result failure(sbj_status status, ptrdiff_t at = nowhere) noexcept { return {status, at, 0}; }

sbj_status status_of(simdjson::error_code error) noexcept {
    switch (error) {
    case simdjson::EMPTY: return sbj_empty;
    case simdjson::UTF8_ERROR: return sbj_invalid_utf8;
    case simdjson::UNCLOSED_STRING: return sbj_unclosed_string;
    case simdjson::UNESCAPED_CHARS: return sbj_control_character;
    case simdjson::MEMALLOC: return sbj_no_memory;
    case simdjson::CAPACITY: return sbj_too_large;
    default: return sbj_unexpected;
    }
}

/// Grows the parser. Doubling keeps the number of reallocations small when bodies keep growing.
bool make_room(sbj_parser &parser, size_t count) noexcept {
    if (parser.scanner->capacity() >= count) return true;
    size_t capacity = std::max(parser.scanner->capacity() * 2, smallest_capacity);
    while (capacity < count) capacity *= 2;
    return parser.scanner->allocate(capacity, 1) == simdjson::SUCCESS;
}

class builder {
public:
    builder(const sbj_parser &parser, const uint8_t *bytes, size_t start, size_t end, size_t max_depth, size_t max_members, sbj_token *tokens,
            size_t capacity) noexcept
        : bytes(bytes), start(start), end(end), index(parser.scanner->structural_indexes.get()),
          last(index + parser.scanner->n_structural_indexes), max_depth(std::min<size_t>(max_depth, SBJ_DEPTH_LIMIT)),
          max_members(max_members), tokens(tokens), capacity(capacity) {}

    sbj_result build() noexcept {
        if (end - start >= 3 && bytes[start] == 0xef && bytes[start + 1] == 0xbb && bytes[start + 2] == 0xbf) {
            return failure(sbj_byte_order_mark, ptrdiff_t(start));
        }
        step now = step::value;
        while (fault.status == sbj_ok && now != step::done) {
            if (index == last) return failure(sbj_unfinished, ptrdiff_t(end));
            now = take(now, start + *index++);
        }
        if (fault.status != sbj_ok) return fault;
        if (index != last) return failure(sbj_trailing_content, ptrdiff_t(start + *index));
        return {sbj_ok, nowhere, count};
    }

private:
    enum class step { value, first_element, first_key, key, colon, comma, done };

    const uint8_t *bytes;
    size_t start, end;
    const uint32_t *index, *last;
    size_t max_depth, max_members;
    sbj_token *tokens;
    size_t capacity;
    size_t count = 0;
    size_t depth = 0;
    uint32_t open[SBJ_DEPTH_LIMIT];
    sbj_result fault = {sbj_ok, nowhere, 0};

    step fail(sbj_status status, size_t at) noexcept {
        fault = failure(status, ptrdiff_t(at));
        return step::done;
    }

    step take(step now, size_t at) noexcept {
        const uint8_t c = bytes[at];
        switch (now) {
        case step::first_element: return c == ']' ? close(at) : value(at, c);
        case step::value: return value(at, c);
        case step::first_key: return c == '}' ? close(at) : key(at, c);
        case step::key: return key(at, c);
        case step::colon: return c == ':' ? step::value : fail(sbj_unexpected, at);
        case step::comma: return comma(at, c);
        case step::done: break;
        }
        return step::done;
    }

    step comma(size_t at, uint8_t c) noexcept {
        const bool object = tokens[open[depth - 1]].kind == sbj_object;
        if (c == (object ? '}' : ']')) return close(at);
        if (c != ',') return fail(sbj_unexpected, at);
        return object ? step::key : step::value;
    }

    [[gnu::always_inline]] step key(size_t at, uint8_t c) noexcept {
        if (c != '"') return fail(sbj_unexpected, at);
        if (tokens[open[depth - 1]].bits++ == max_members) return fail(sbj_too_many_members, at);
        sbj_token *token = add(sbj_key, at);
        if (!token || !string(at, *token)) return step::done;
        return step::colon;
    }

    step value(size_t at, uint8_t c) noexcept {
        if (depth > 0 && tokens[open[depth - 1]].kind == sbj_array) tokens[open[depth - 1]].bits++;
        switch (c) {
        case '{': return enter(sbj_object, at, step::first_key);
        case '[': return enter(sbj_array, at, step::first_element);
        case '"': {
            sbj_token *token = add(sbj_string, at);
            return token && string(at, *token) ? after_value() : step::done;
        }
        case '}': case ']': case ',': case ':': return fail(sbj_unexpected, at);
        default: return scalar(at, c);
        }
    }

    step scalar(size_t at, uint8_t c) noexcept {
        sbj_token *token = add(sbj_null, at);
        if (!token) return step::done;
        const uint8_t *from = bytes + at, *to = bytes + next_start();
        while (to > from && sbj::is_space(to[-1])) to--;
        token->count = uint32_t(to - from);
        if (c == '-' || (c >= '0' && c <= '9')) {
            if (!sbj::read_number(from, to, *token)) return fail(sbj_bad_number, at);
        } else if (!sbj::read_literal(from, to, *token)) {
            return fail(sbj_bad_literal, at);
        }
        return after_value();
    }

    bool string(size_t at, sbj_token &token) noexcept {
        const uint8_t *wrong = sbj::read_string(bytes, bytes + at, bytes + next_start(), token);
        if (wrong) fail(wrong == bytes + at ? sbj_unclosed_string : sbj_bad_escape, size_t(wrong - bytes));
        return !wrong;
    }

    step enter(sbj_kind kind, size_t at, step inside) noexcept {
        if (depth == max_depth) return fail(sbj_too_deep, at);
        if (!add(kind, at)) return step::done;
        open[depth++] = uint32_t(count - 1);
        return inside;
    }

    step close(size_t at) noexcept {
        sbj_token &token = tokens[open[--depth]];
        token.count = uint32_t(at + 1 - token.offset);
        token.next = uint32_t(count);
        return after_value();
    }

    step after_value() const noexcept { return depth == 0 ? step::done : step::comma; }

    /// Returns the start of the token after the current one.
    size_t next_start() const noexcept { return index == last ? end : start + *index; }

    sbj_token *add(sbj_kind kind, size_t at) noexcept {
        if (count == capacity) {
            fail(sbj_too_many_tokens, at);
            return nullptr;
        }
        sbj_token &token = tokens[count++];
        token = {uint32_t(at), 0, uint32_t(count), kind, 0, 0};
        return &token;
    }
};

} // namespace

extern "C" sbj_parser *sbj_parser_create(void) noexcept {
    std::unique_ptr<sbj_parser> parser(new (std::nothrow) sbj_parser());
    if (!parser) return nullptr;
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(smallest_capacity, 1, parser->scanner);
    return error == simdjson::SUCCESS ? parser.release() : nullptr;
}

extern "C" void sbj_parser_destroy(sbj_parser *parser) noexcept { delete parser; }

extern "C" size_t sbj_parser_capacity(const sbj_parser *parser) noexcept { return parser->scanner->capacity(); }

extern "C" sbj_result sbj_scan(sbj_parser *parser, const uint8_t *bytes, size_t start, size_t end) noexcept {
    if (start >= end) return failure(sbj_empty, ptrdiff_t(start));
    if (end > largest_document) return failure(sbj_too_large);
    if (!make_room(*parser, end - start)) return failure(sbj_no_memory);
    const auto error = parser->scanner->stage1(bytes + start, end - start, simdjson::stage1_mode::regular);
    if (error) return failure(status_of(error));
    return {sbj_ok, nowhere, parser->scanner->n_structural_indexes};
}

extern "C" sbj_result sbj_build(
    sbj_parser *parser, const uint8_t *bytes, size_t start, size_t end, size_t max_depth, size_t max_members, sbj_token *tokens,
    size_t capacity) noexcept {
    return builder(*parser, bytes, start, end, max_depth, max_members, tokens, capacity).build();
}
