/* SPDX-License-Identifier: MIT
 *
 * sanitized.h: whether a sanitizer watches this build. It is some ten times slower then: tests that
 * take long anyway keep every case and shrink its size.
 */
#ifndef LOAM_TESTS_SUPPORT_SANITIZED_H
#define LOAM_TESTS_SUPPORT_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LOAM_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOAM_SANITIZED 1
#endif
#ifndef LOAM_SANITIZED
#define LOAM_SANITIZED 0
#endif

#endif
