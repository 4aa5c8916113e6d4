# Time zone, locale and encodings.
import locale
import sys
import time

print(time.tzname, time.timezone, time.daylight, time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(0)))
print(locale.getlocale(), locale.getpreferredencoding(False), locale.localeconv()["decimal_point"])
print(sys.getdefaultencoding(), sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
print(locale.setlocale(locale.LC_CTYPE), locale.setlocale(locale.LC_NUMERIC), time.strftime("%B %A", time.gmtime(86400 * 40)))
