/* SPDX-License-Identifier: MIT
 *
 * test_self_test.c: this build computes what every other one computes, and says by what.
 */
#include "core/loam.h"

#include <criterion/criterion.h>

Test(self_test, passes_in_this_build_and_again) {
    loam_error error = {0};
    cr_expect_eq(loam_self_test(&error), LOAM_OK, "%s", error.text);
    cr_expect_eq(loam_self_test(NULL), LOAM_OK);
}

Test(self_test, digests_are_those_of_the_reference_build) {
    uint64_t digests[3], again[3];
    loam_self_test_digests(digests);
    loam_self_test_digests(again);
    cr_expect_arr_eq(digests, again, sizeof digests);
    cr_expect_eq(digests[0], 0xc86248769d30c3d8u, "noise");
    cr_expect_eq(digests[1], 0x4266927c40f47803u, "hashes");
    cr_expect_eq(digests[2], 0xe0b80c7894e6efebu, "math");
}
