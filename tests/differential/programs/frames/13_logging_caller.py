# logging finds the calling function and line.
import logging
import sys

logging.basicConfig(stream=sys.stdout, format="%(filename)s %(funcName)s %(lineno)d %(levelname)s %(message)s")


def work():
    logging.warning("in work")


work()
logging.error("in the module")
