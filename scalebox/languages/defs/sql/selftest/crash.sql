SELECT * FROM absent;
