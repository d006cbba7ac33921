// SPDX-License-Identifier: MIT
//
// Arithmetic that the compiler calls and Debian's libgcc for the LX106 lacks: multiplication to 64
// bits and every division except the remainder of signed words. The core multiplies 32 by 32 bits
// to 32 and counts leading zeros, and has no instruction for division.
//
// Cost     a division takes a few instructions for each bit by which the dividend is longer than
//          the divisor.
// Errors   division by zero is an illegal instruction, which is a fault.
// Source   long division in base 2, aligned by the leading zeros: Knuth, The Art of Computer
//          Programming 2, 4.3.1.
//
// The file is not link-time optimised (see boards/CMakeLists.txt) except in the programs of an
// installation's consumers, so its functions are marked as used. The family's
// tests/division_test.cpp checks it.
#include <stdint.h>

__attribute__((used)) uint64_t __umulsidi3(uint32_t left, uint32_t right);
__attribute__((used)) uint64_t __muldi3(uint64_t left, uint64_t right);
__attribute__((used)) uint32_t __udivsi3(uint32_t dividend, uint32_t divisor);
__attribute__((used)) uint32_t __umodsi3(uint32_t dividend, uint32_t divisor);
__attribute__((used)) int32_t __divsi3(int32_t dividend, int32_t divisor);
__attribute__((used)) uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
__attribute__((used)) uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);
__attribute__((used)) int64_t __divdi3(int64_t dividend, int64_t divisor);
__attribute__((used)) int64_t __moddi3(int64_t dividend, int64_t divisor);

static uint32_t divide(uint32_t dividend, uint32_t divisor, uint32_t* remainder) {
  if (divisor == 0) __builtin_trap();
  uint32_t quotient = 0;
  if (dividend >= divisor) {
    uint32_t bits = (uint32_t)(__builtin_clz(divisor) - __builtin_clz(dividend));
    divisor <<= bits;
    do {
      quotient <<= 1;
      if (dividend >= divisor) {
        dividend -= divisor;
        quotient |= 1;
      }
      divisor >>= 1;
    } while (bits--);
  }
  *remainder = dividend;
  return quotient;
}

static uint64_t divide_long(uint64_t dividend, uint64_t divisor, uint64_t* remainder) {
  if ((dividend | divisor) >> 32 == 0) {
    uint32_t rest;
    const uint32_t quotient = divide((uint32_t)dividend, (uint32_t)divisor, &rest);
    *remainder = rest;
    return quotient;
  }
  if (divisor == 0) __builtin_trap();
  uint64_t quotient = 0;
  if (dividend >= divisor) {
    uint32_t bits = (uint32_t)(__builtin_clzll(divisor) - __builtin_clzll(dividend));
    divisor <<= bits;
    do {
      quotient <<= 1;
      if (dividend >= divisor) {
        dividend -= divisor;
        quotient |= 1;
      }
      divisor >>= 1;
    } while (bits--);
  }
  *remainder = dividend;
  return quotient;
}

static uint32_t magnitude(int32_t value) {
  return value < 0 ? -(uint32_t)value : (uint32_t)value;
}

static uint64_t magnitude_long(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor) {
  uint32_t remainder;
  return divide(dividend, divisor, &remainder);
}

uint32_t __umodsi3(uint32_t dividend, uint32_t divisor) {
  uint32_t remainder;
  divide(dividend, divisor, &remainder);
  return remainder;
}

int32_t __divsi3(int32_t dividend, int32_t divisor) {
  uint32_t remainder;
  const uint32_t quotient = divide(magnitude(dividend), magnitude(divisor), &remainder);
  return (int32_t)((dividend ^ divisor) < 0 ? -quotient : quotient);
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
  uint64_t remainder;
  return divide_long(dividend, divisor, &remainder);
}

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
  uint64_t remainder;
  divide_long(dividend, divisor, &remainder);
  return remainder;
}

int64_t __divdi3(int64_t dividend, int64_t divisor) {
  uint64_t remainder;
  const uint64_t quotient = divide_long(magnitude_long(dividend), magnitude_long(divisor), &remainder);
  return (int64_t)((dividend ^ divisor) < 0 ? -quotient : quotient);
}

/// The remainder has the dividend's sign.
int64_t __moddi3(int64_t dividend, int64_t divisor) {
  uint64_t remainder;
  divide_long(magnitude_long(dividend), magnitude_long(divisor), &remainder);
  return (int64_t)(dividend < 0 ? -remainder : remainder);
}

/// Adds products of half words, none of which overflows.
uint64_t __umulsidi3(uint32_t left, uint32_t right) {
  const uint32_t left_low = left & 0xffff, left_high = left >> 16;
  const uint32_t right_low = right & 0xffff, right_high = right >> 16;
  const uint32_t low = left_low * right_low;
  const uint32_t middle = left_high * right_low + (low >> 16);
  const uint32_t other = left_low * right_high + (middle & 0xffff);
  const uint32_t high = left_high * right_high + (middle >> 16) + (other >> 16);
  return (uint64_t)high << 32 | (other << 16 | (low & 0xffff));
}

uint64_t __muldi3(uint64_t left, uint64_t right) {
  const uint32_t left_low = (uint32_t)left, left_high = (uint32_t)(left >> 32);
  const uint32_t right_low = (uint32_t)right, right_high = (uint32_t)(right >> 32);
  const uint32_t cross = left_low * right_high + left_high * right_low;
  return __umulsidi3(left_low, right_low) + ((uint64_t)cross << 32);
}
