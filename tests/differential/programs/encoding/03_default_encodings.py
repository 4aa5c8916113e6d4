import locale
import sys

print(sys.getdefaultencoding(), sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
print(locale.getpreferredencoding(False), sys.flags.utf8_mode)
