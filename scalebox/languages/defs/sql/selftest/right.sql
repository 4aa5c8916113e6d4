CREATE TABLE line (text TEXT);
INSERT INTO line VALUES (trim(CAST(readfile('/dev/stdin') AS TEXT), char(10)));
SELECT CAST(substr(text, 1, instr(text, ' ')) AS INTEGER) + CAST(substr(text, instr(text, ' ') + 1) AS INTEGER) FROM line;
