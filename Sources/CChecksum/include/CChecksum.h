// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Continues a CRC-32C (Castagnoli, RFC 3720) over more bytes. The first value is 0.
uint32_t cchecksum_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same with tables alone, for tests of processors without the instruction.
uint32_t cchecksum_crc32c_tables(uint32_t crc, const void *bytes, size_t count);
