import codecs
import sys

out = codecs.getwriter("utf-16-le")(sys.stdout.buffer)
out.write("hé")
