"""Judges through their life: kept by problem and version, proved, activated, measured, retired. On SQLite or PostgreSQL."""
