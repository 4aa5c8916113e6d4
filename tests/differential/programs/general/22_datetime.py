# Dates and zones without the current time.
import datetime

stamp = datetime.datetime.fromtimestamp(1_000_000_000)
print(stamp, stamp.astimezone().tzname(), stamp.astimezone(datetime.timezone(datetime.timedelta(hours=2))).isoformat())
print(datetime.date(2024, 2, 28) + datetime.timedelta(2), datetime.date(2024, 12, 30).isocalendar()[:], datetime.datetime.strptime("3 Mar 21", "%d %b %y"))
