"""Output against answer. Pure: bytes or plain values in, a check result out."""
