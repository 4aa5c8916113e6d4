exit 7;
