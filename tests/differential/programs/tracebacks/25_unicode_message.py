raise ValueError("naïve — 日本 \U0001f600")
