# Compression, checksums and digests.
import base64
import bz2
import hashlib
import lzma
import zlib

data = b"the same data " * 50
print(zlib.crc32(data), len(zlib.decompress(zlib.compress(data, 9))), hashlib.sha256(data).hexdigest()[:16])
print(bz2.decompress(bz2.compress(data)) == data, lzma.decompress(lzma.compress(data)) == data)
print(hashlib.md5(data).hexdigest(), base64.b64encode(data[:6]), hashlib.blake2b(data, digest_size=8).hexdigest())
