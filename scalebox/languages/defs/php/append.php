@first@
/* The token is read before the program begins, and written when the test code that follows it has come to its end. No program holds this name. */
$@entry@ = (static function (): \Closure {
    $token = \rtrim(\fgets(\fopen("php://fd/3", "r")), "\n") . "\n";
    return static function () use ($token): void {
        \fwrite(\fopen("php://fd/4", "w"), $token);
    };
})();
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

$@entry@();
