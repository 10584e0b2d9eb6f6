// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CSignalboxCrash.h"

#include <stddef.h>
#include <stdint.h>

/// How many bytes `csignalbox_gzip` may need for so many.
size_t csignalbox_gzip_bound(size_t count);

/// One gzip member; answers its size, or 0 where there is no memory or not enough room.
size_t csignalbox_gzip(const uint8_t *bytes, size_t count, uint8_t *room, size_t size);

/// The CRC-32 of gzip and PNG.
uint32_t csignalbox_checksum(const uint8_t *bytes, size_t count);
