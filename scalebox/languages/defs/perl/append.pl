@program@
@close@
our $scalebox_testing = 1;
# Built-in functions are Perl's own again in the tests, and eq_deeply is the module's.
BEGIN { %CORE::GLOBAL:: = (); }
my $scalebox_equal = CORE::eval { CORE::require Test::Deep; \&Test::Deep::eq_deeply };
END {
    # The convention of the tests: exit 1 is an assertion that failed.
    if ($main::scalebox_testing && $? == 1 && CORE::open(my $out, ">&=4")) { CORE::syswrite($out, "failed\n"); }
}
@tests@

;{
    CORE::die("eq_deeply is the program's own") if CORE::defined(&main::eq_deeply) && !($scalebox_equal && \&main::eq_deeply == $scalebox_equal);
    CORE::open(my $in, "<&=3") or CORE::die("no token");
    CORE::open(my $out, ">&=4") or CORE::die("no channel");
    my ($token) = CORE::split(/\n/, CORE::readline($in));
    CORE::syswrite($out, "$token\n");
    $main::scalebox_testing = 0;
}
