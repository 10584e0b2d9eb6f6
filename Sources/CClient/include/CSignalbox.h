// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CSignalboxCrash.h"
#include "CSignalboxTransfers.h"

#include <stddef.h>
#include <stdint.h>

/// The maximum output size of `csignalbox_gzip`.
size_t csignalbox_gzip_bound(size_t count);

/// Writes a gzip member; returns its size, or 0 if memory or output space is short.
size_t csignalbox_gzip(const uint8_t *bytes, size_t count, uint8_t *room, size_t size);

/// The CRC-32 of gzip and PNG.
uint32_t csignalbox_checksum(const uint8_t *bytes, size_t count);

/// The CRC-32C (Castagnoli) of bytes that follow others, whose checksum is `crc`; 0 at the beginning.
uint32_t csignalbox_crc32c(uint32_t crc, const uint8_t *bytes, size_t count);
