/* SPDX-License-Identifier: MIT
 *
 * portable.h: what a build must be for results to be the same bytes as everywhere else. Included by
 * every file that computes; the start-up self-test is the second line of defence.
 */
#ifndef LOAM_BASE_PORTABLE_H
#define LOAM_BASE_PORTABLE_H

#include <float.h>
#include <limits.h>

/* LOAM_ALLOW_FAST_MATH exists for one purpose: to show that the self-test catches such a build. */
#if !defined(LOAM_ALLOW_FAST_MATH)
#if defined(__FAST_MATH__)
#error "loam computes the same bytes everywhere: build it without -ffast-math and -Ofast"
#endif
#if FLT_EVAL_METHOD != 0
#error "loam needs float and double arithmetic in their own precision (FLT_EVAL_METHOD 0)"
#endif
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

_Static_assert(CHAR_BIT == 8, "bytes have 8 bits");
_Static_assert(sizeof(float) == 4 && FLT_MANT_DIG == 24, "float is IEEE binary32");
_Static_assert(sizeof(double) == 8 && DBL_MANT_DIG == 53, "double is IEEE binary64");
_Static_assert((-1 >> 1) == -1, "right shifts of negative numbers are arithmetic");

#endif
