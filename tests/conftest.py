"""The same run everywhere: Hypothesis without clocks and without a database, Ctrl-C as a terminal has it."""

import signal

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, database=None)
settings.load_profile("suite")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background: programs that the tests interrupt would inherit a deaf ear.
    signal.signal(signal.SIGINT, signal.default_int_handler)
