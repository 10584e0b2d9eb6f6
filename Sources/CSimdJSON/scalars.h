// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CSimdJSON.h"

// Leaf values of JSON text. Every function stays inside [p, end).

namespace sbj {

inline bool is_space(uint8_t c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Fills in a key or string that opens at `p`. Its closing quote is the last byte before `next` that is not white space. Returns null, or the
/// position of an error.
const uint8_t *read_string(const uint8_t *bytes, const uint8_t *p, const uint8_t *next, sbj_token &token) noexcept;

/// Fills in the number that is exactly [p, end).
bool read_number(const uint8_t *p, const uint8_t *end, sbj_token &token) noexcept;

/// Fills in true, false or null if [p, end) is exactly one of them.
bool read_literal(const uint8_t *p, const uint8_t *end, sbj_token &token) noexcept;

} // namespace sbj
