// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SBJ_NOEXCEPT noexcept
extern "C" {
#else
#define SBJ_NOEXCEPT
#endif

/* JSON text as a flat array of tokens in document order. Offsets are relative to the start of the given buffer. */

typedef enum : uint8_t {
    sbj_object,
    sbj_array,
    sbj_key,
    sbj_string,
    sbj_integer,    /* bits: int64 */
    sbj_unsigned,   /* bits: uint64 above INT64_MAX */
    sbj_double,     /* bits: the IEEE 754 double */
    sbj_big_number, /* a valid JSON number that fits none of the three */
    sbj_true,
    sbj_false,
    sbj_null,
} sbj_kind;

typedef struct {
    uint32_t offset;  /* first byte; for keys and strings, the one after the opening quote */
    uint32_t count;   /* bytes; for objects and arrays, including the brackets */
    uint32_t next;    /* index of the token after this value; for keys, of the value */
    sbj_kind kind;
    uint8_t escaped;  /* nonzero for a key or string with a backslash */
    uint64_t bits;    /* for objects and arrays, the number of members or elements */
} sbj_token;

typedef enum : uint8_t {
    sbj_ok,
    sbj_empty,
    sbj_too_large,
    sbj_too_many_tokens,
    sbj_too_many_members,
    sbj_too_deep,
    sbj_byte_order_mark,
    sbj_invalid_utf8,
    sbj_unclosed_string,
    sbj_control_character,
    sbj_bad_escape,
    sbj_bad_number,
    sbj_bad_literal,
    sbj_unexpected,
    sbj_unfinished,
    sbj_trailing_content,
    sbj_no_memory,
} sbj_status;

/* `at` is the offset of the error, or negative if the scanner does not know it. */
typedef struct {
    sbj_status status;
    ptrdiff_t at;
    size_t count;
} sbj_result;

/* The upper limit of `max_depth`. Each level takes four bytes of stack while a document is read. */
#define SBJ_DEPTH_LIMIT 512

typedef struct sbj_parser sbj_parser;

/* Returns NULL if memory is exhausted. A parser is used by one thread at a time. */
sbj_parser *sbj_parser_create(void) SBJ_NOEXCEPT;
void sbj_parser_destroy(sbj_parser *parser) SBJ_NOEXCEPT;
/* Returns the size of the largest document that fits without a reallocation. */
size_t sbj_parser_capacity(const sbj_parser *parser) SBJ_NOEXCEPT;

/* First pass over bytes[start, end): finds the start of each token. `count` is an upper bound of the tokens. Reads no other bytes. */
sbj_result sbj_scan(sbj_parser *parser, const uint8_t *bytes, size_t start, size_t end) SBJ_NOEXCEPT;
/* Second pass over the same bytes: checks the grammar and writes at most `capacity` tokens. `count` is their number. No object may have more than
   `max_members` members. */
sbj_result sbj_build(
    sbj_parser *parser, const uint8_t *bytes, size_t start, size_t end, size_t max_depth, size_t max_members, sbj_token *tokens,
    size_t capacity) SBJ_NOEXCEPT;

/* Resets this thread's count of steps, which walks over documents increase. */
void sbj_begin_steps(void) SBJ_NOEXCEPT;
/* Adds to the count and returns it. */
int64_t sbj_take_steps(int64_t count) SBJ_NOEXCEPT;

/* A member of an object or an element of an array in an unchecked document. */
typedef struct {
    size_t key;       /* first byte after the opening quote; unused for elements */
    size_t key_count; /* bytes in the document, escapes included */
    size_t value;     /* first byte of the value */
    size_t next;      /* the search position: after the opening bracket at first, then after the value; finally the closing bracket */
} sbj_member;

/* Moves to the next member or element. Returns 0 at the end, and if the text cannot be JSON. Reads only bytes[0, end). */
int sbj_next_member(const uint8_t *bytes, size_t end, sbj_member *member) SBJ_NOEXCEPT;
/* Returns the offset after the value that begins at `at`. */
size_t sbj_skip_value(const uint8_t *bytes, size_t at, size_t end) SBJ_NOEXCEPT;
int sbj_next_element(const uint8_t *bytes, size_t end, sbj_member *element) SBJ_NOEXCEPT;

#ifdef __cplusplus
}
#endif
