raise ExceptionGroup("several", [ValueError(1), TypeError("two"), ExceptionGroup("inner", [KeyError("k")])])
