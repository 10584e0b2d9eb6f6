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

/* JSON text as a flat array of tokens in document order. Offsets are absolute in the buffer handed in. */

typedef enum : uint8_t {
    sbj_object,
    sbj_array,
    sbj_key,
    sbj_string,
    sbj_integer,    /* bits: int64 */
    sbj_unsigned,   /* bits: uint64 above INT64_MAX */
    sbj_double,     /* bits: the IEEE 754 double */
    sbj_big_number, /* a valid JSON number that none of the three can hold */
    sbj_true,
    sbj_false,
    sbj_null,
} sbj_kind;

typedef struct {
    uint32_t offset;  /* first byte; of a key or string the one after the opening quote */
    uint32_t count;   /* bytes; of an object or array the whole slice with its brackets */
    uint32_t next;    /* index of the token after this whole value; of a key its value's */
    sbj_kind kind;
    uint8_t escaped;  /* a key or string that holds a backslash */
    uint64_t bits;    /* of an object its members, of an array its elements */
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

/* `at` is the offset of the fault, or negative where the scanner cannot tell. */
typedef struct {
    sbj_status status;
    ptrdiff_t at;
    size_t count;
} sbj_result;

/* The deepest nesting that can be asked for; each level takes four bytes of the stack while a document is read. */
#define SBJ_DEPTH_LIMIT 512

typedef struct sbj_parser sbj_parser;

/* NULL when there is no memory. One thread at a time. */
sbj_parser *sbj_parser_create(void) SBJ_NOEXCEPT;
void sbj_parser_destroy(sbj_parser *parser) SBJ_NOEXCEPT;
/* The largest document it has made room for. */
size_t sbj_parser_capacity(const sbj_parser *parser) SBJ_NOEXCEPT;

/* First pass over bytes[start, end): finds every token's start; `count` is an upper bound of the tokens. Reads nothing outside. */
sbj_result sbj_scan(sbj_parser *parser, const uint8_t *bytes, size_t start, size_t end) SBJ_NOEXCEPT;
/* Second pass over the same bytes: checks the grammar and writes at most `capacity` tokens; `count` is how many. No object may have more than
   `max_members` members. */
sbj_result sbj_build(
    sbj_parser *parser, const uint8_t *bytes, size_t start, size_t end, size_t max_depth, size_t max_members, sbj_token *tokens,
    size_t capacity) SBJ_NOEXCEPT;

/* The steps that walks over documents took on this thread since they were last begun anew. */
void sbj_begin_steps(void) SBJ_NOEXCEPT;
/* Adds to them; returns how many there are. */
int64_t sbj_take_steps(int64_t count) SBJ_NOEXCEPT;

/* A member of an object, or an element of an array, of a document that was not checked. */
typedef struct {
    size_t key;       /* first byte behind the opening quote; of elements unused */
    size_t key_count; /* as it stands in the document, escapes included */
    size_t value;     /* first byte of the value */
    size_t next;      /* where to look: behind the opening bracket at first, behind the value from then on; at the end the closing bracket */
} sbj_member;

/* Moves to the next member or element; 0 at the end and where the document cannot be one. Reads nothing outside bytes[0, end). */
int sbj_next_member(const uint8_t *bytes, size_t end, sbj_member *member) SBJ_NOEXCEPT;
/* The byte behind the value that begins at `at`. */
size_t sbj_skip_value(const uint8_t *bytes, size_t at, size_t end) SBJ_NOEXCEPT;
int sbj_next_element(const uint8_t *bytes, size_t end, sbj_member *element) SBJ_NOEXCEPT;

#ifdef __cplusplus
}
#endif
