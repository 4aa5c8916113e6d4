# Logging without configuration: warnings to stderr, info nowhere; the last line of stderr is compared.
import logging

print(logging.getLogger().handlers, logging.getLogger().level, logging.Logger.manager.disable)
logging.info("nothing")
logging.warning("to stderr")
logging.getLogger("mine").error("last line")
