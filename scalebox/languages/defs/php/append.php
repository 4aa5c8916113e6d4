@program@
@close@
?><?php
\set_exception_handler(function (\Throwable $error): void {
    if (\get_class($error) === "Exception" && $error->getMessage() === "Test failed!") {
        \fwrite(\fopen("php://fd/4", "w"), "failed\n");
    }
    \fwrite(\STDERR, "PHP Fatal error:  Uncaught " . $error . "\n");
    exit(255);
});
@tests@

\fwrite(\fopen("php://fd/4", "w"), \rtrim(\fgets(\fopen("php://fd/3", "r")), "\n") . "\n");
