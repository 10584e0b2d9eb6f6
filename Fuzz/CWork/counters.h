// SPDX-License-Identifier: Apache-2.0

#ifndef CWORK_COUNTERS_H
#define CWORK_COUNTERS_H

#include <stdint.h>

extern uint64_t work_counted_bytes;

#endif
