// SPDX-License-Identifier: Apache-2.0

#include "CSimdJSON.h"

namespace {

thread_local int64_t steps = 0;

} // namespace

extern "C" void sbj_begin_steps(void) noexcept { steps = 0; }

extern "C" int64_t sbj_take_steps(int64_t count) noexcept { return steps += count; }
