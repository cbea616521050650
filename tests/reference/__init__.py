"""A second, naive rules engine: the yardstick the real one is compared with."""
