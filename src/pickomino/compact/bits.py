"""Sets as the bits of one integer. Plain arithmetic that the compiler turns into single instructions."""

from __future__ import annotations


def count_bits(bits: int) -> int:
    """How many bits are set; bits below 2**63."""
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 0xFF  # whole numbers of Python do not overflow


def lowest_bit(bits: int) -> int:
    """The place of the lowest set bit; some bit is set."""
    return count_bits((bits & -bits) - 1)


def highest_bit(bits: int) -> int:
    """The place of the highest set bit, -1 where none is."""
    bits |= bits >> 1
    bits |= bits >> 2
    bits |= bits >> 4
    bits |= bits >> 8
    bits |= bits >> 16
    bits |= bits >> 32
    return count_bits(bits) - 1


def nth_bit(bits: int, n: int) -> int:
    """The place of the n-th set bit, counted from 0 at the lowest."""
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)
