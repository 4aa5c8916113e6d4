process.exit(7 as number);
