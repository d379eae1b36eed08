"""Key formats. `pkix` and `pem` hold the fixed DER of RFC 9881 and 9935 and its text form: pure Python, no dependency."""
