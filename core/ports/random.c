/* Random bytes of the operating system: getrandom on Linux, getentropy on macOS and the BSDs, the system-preferred generator on Windows.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "girih/random.h"

#if defined(_WIN32)

#include <windows.h>

#include <bcrypt.h>

/* Some bytes of what is asked for: their number, 0 on failure. */
static size_t some_bytes(uint8_t *out, size_t len)
{
    ULONG n = len < 0x10000000 ? (ULONG)len : 0x10000000;

    return BCryptGenRandom(NULL, out, n, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0 ? n : 0;
}

#elif defined(__linux__)

#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

/* A signal may interrupt the call or cut it short. */
static size_t some_bytes(uint8_t *out, size_t len)
{
    ssize_t n;

    do
        n = getrandom(out, len, 0);
    while (n < 0 && errno == EINTR);
    return n > 0 && (size_t)n <= len ? (size_t)n : 0;
}

#else

#if defined(__APPLE__)
#include <sys/random.h>
#endif
#include <unistd.h>

static size_t some_bytes(uint8_t *out, size_t len)
{
    size_t n = len < 256 ? len : 256; /* the most that getentropy gives at once */

    return getentropy(out, n) == 0 ? n : 0;
}

#endif

girih_status girih_random_bytes(uint8_t *out, size_t len)
{
    size_t done = 0;

    while (done < len) {
        size_t n = some_bytes(out + done, len - done);

        if (n == 0) {
            girih_wipe(out, len);
            return GIRIH_RANDOMNESS;
        }
        done += n;
    }
    return GIRIH_OK;
}
