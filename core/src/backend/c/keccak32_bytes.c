/* Bytes in and out of a bit-interleaved Keccak state.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lane i is word[2i] (its even bits) and word[2i + 1] (its odd bits) from init to wipe; only what enters or leaves is converted: whole
 * lanes by words, the rest byte by byte. Byte j of a lane has its even bits at bits 4j..4j+3 of the first word, its odd ones there in the
 * second. */
#include "backend/c/keccak32.h"

/* Six instructions a step: calls would cost more, and compilers for size make them. */
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Exchanges the bits of x that mask names with those n higher. */
INLINE uint32_t exchange(uint32_t x, uint32_t mask, unsigned n)
{
    const uint32_t t = (x ^ x >> n) & mask;

    return x ^ t ^ t << n;
}

/* The even bits of x into the low half, the odd ones into the high half, both in order. */
INLINE uint32_t gather(uint32_t x)
{
    x = exchange(x, 0x22222222, 1);
    x = exchange(x, 0x0C0C0C0C, 2);
    x = exchange(x, 0x00F000F0, 4);
    return exchange(x, 0x0000FF00, 8);
}

/* The inverse. */
INLINE uint32_t spread(uint32_t x)
{
    x = exchange(x, 0x0000FF00, 8);
    x = exchange(x, 0x00F000F0, 4);
    x = exchange(x, 0x0C0C0C0C, 2);
    return exchange(x, 0x22222222, 1);
}

INLINE void xor_lane(uint32_t lane[2], uint32_t low, uint32_t high)
{
    low = gather(low);
    high = gather(high);
    lane[0] ^= (low & 0xFFFF) | high << 16;
    lane[1] ^= low >> 16 | (high & 0xFFFF0000);
}

INLINE uint32_t low_word(const uint32_t lane[2])
{
    return spread((lane[0] & 0xFFFF) | lane[1] << 16);
}

INLINE uint32_t high_word(const uint32_t lane[2])
{
    return spread(lane[0] >> 16 | (lane[1] & 0xFFFF0000));
}

/* Byte number `at` of the state. */
static void xor_byte(girih_sha3 *h, size_t at, uint32_t x)
{
    uint32_t *lane = h->state.word + 2 * (at / 8);

    x = exchange(exchange(x, 0x22, 1), 0x0C, 2);
    lane[0] ^= (x & 15) << (4 * (at % 8));
    lane[1] ^= (x >> 4) << (4 * (at % 8));
}

static uint8_t extract_byte(const girih_sha3 *h, size_t at)
{
    const uint32_t *lane = h->state.word + 2 * (at / 8);
    const uint32_t x = (lane[0] >> (4 * (at % 8)) & 15) | (lane[1] >> (4 * (at % 8)) & 15) << 4;

    return (uint8_t)exchange(exchange(x, 0x0C, 2), 0x22, 1);
}

void keccak_xor_bytes_c32(girih_sha3 *h, size_t offset, const uint8_t *data, size_t len)
{
    int aligned;

    for (; len != 0 && offset % 8 != 0; len--)
        xor_byte(h, offset++, *data++);
    aligned = (uintptr_t)data % 4 == 0; /* many cores trap on words across a boundary */
    for (; len >= 8; offset += 8, data += 8, len -= 8) {
        if (aligned)
            xor_lane(h->state.word + offset / 4, load_le32_aligned(data), load_le32_aligned(data + 4));
        else
            xor_lane(h->state.word + offset / 4, load_le32(data), load_le32(data + 4));
    }
    for (; len != 0; len--)
        xor_byte(h, offset++, *data++);
}

void keccak_extract_bytes_c32(const girih_sha3 *h, size_t offset, uint8_t *out, size_t len)
{
    int aligned;

    for (; len != 0 && offset % 8 != 0; len--)
        *out++ = extract_byte(h, offset++);
    aligned = (uintptr_t)out % 4 == 0;
    for (; len >= 8; offset += 8, out += 8, len -= 8) {
        const uint32_t *lane = h->state.word + offset / 4;

        if (aligned) {
            store_le32_aligned(out, low_word(lane));
            store_le32_aligned(out + 4, high_word(lane));
        } else {
            store_le32(out, low_word(lane));
            store_le32(out + 4, high_word(lane));
        }
    }
    for (; len != 0; len--)
        *out++ = extract_byte(h, offset++);
}
