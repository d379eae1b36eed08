/* Power2Round, Decompose and UseHint of a backend on every residue, against the standard's definitions (doors.h).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: rounding_test BACKEND-NUMBER. Exit status 0 when all agree, else 1 and the first residue that does not. */
#include "doors.h"

#include <stdio.h>
#include <stdlib.h>

enum { Q = 8380417 };

static int differs(const char *what, int set, int32_t first)
{
    if (first == Q)
        return 0;
    fprintf(stderr, "%s %d: differs at %ld\n", what, set, (long)first);
    return 1;
}

int main(int argc, char **argv)
{
    static const int sets[] = {44, 65, 87};
    int backend = argc == 2 ? atoi(argv[1]) : 1, bad = differs("power2round", 0, girih_test_power2round_all(backend));

    for (int i = 0; i < 3; i++) {
        bad |= differs("decompose", sets[i], girih_test_decompose_all(backend, sets[i]));
        bad |= differs("use_hint", sets[i], girih_test_use_hint_all(backend, sets[i]));
    }
    return bad;
}
