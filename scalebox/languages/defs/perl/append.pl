# Run the test code that follows the program and prove that it came to its end. The names are ones that no program can hold; the token is
# read before the program begins. Perl's functions, Test::Deep and what the tests define are what they say, whatever the program did to them.
my $@entry@;
BEGIN {
    CORE::open(my $in, "<&=3") or CORE::die("no token");
    my ($token) = CORE::split(/\n/, CORE::readline($in) // "");
    CORE::close($in);
    require B;
    my $deep = eval { require Test::Deep; 1 };
    my (%library, %before, %tests, $here);
    my $put = sub { CORE::open(my $out, ">&=4") or CORE::die("no channel"); CORE::syswrite($out, $_[0]); };
    my $code = sub {
        my ($space) = @_;
        my %found;
        for my $name (CORE::keys(%$space)) {
            my $at = \$space->{$name};
            $at = *$at{CODE} if CORE::ref($at) eq "GLOB";
            $found{$name} = CORE::ref($at) eq "REF" ? $$at : $at if CORE::ref($at) eq "CODE" || (CORE::ref($at) eq "REF" && CORE::ref($$at) eq "CODE");
        }
        return \%found;
    };
    my $walk;
    $walk = sub {
        my ($space) = @_;
        $library{$space} = $code->(\%$space);
        $walk->("$space$_") for CORE::grep { /::\z/ } CORE::keys(%$space);
    };
    if ($deep) {
        for my $folder (CORE::map { /^(.*)\.pm\z/ } $INC{"Test/Deep.pm"}) {
            for (CORE::glob("$folder/*.pm")) { eval { require "Test/Deep/$1" } if m{([^/]+)\z} }
        }
        $walk->("Test::Deep::");
    }
    my $same = sub {
        my ($space, $kept) = @_;
        my $now = $code->(\%$space);
        return !CORE::grep { !$now->{$_} || $now->{$_} != $kept->{$_} } CORE::keys(%$kept);
    };
    my $restore = sub {
        my ($space, $kept) = @_;
        my $now = $code->(\%$space);
        for my $name (CORE::keys(%$kept)) {
            no warnings;
            *{"$space$name"} = $kept->{$name} if !$now->{$name} || $now->{$name} != $kept->{$name};
        }
    };
    $@entry@ = {
        # Before the tests are compiled.
        compile => sub {
            ($here) = @_;
            CORE::die("the program filters the text of the tests") if $INC{"Filter/Util/Call.pm"} || %Filter::Util::Call::;
            %CORE::GLOBAL:: = ();
            for my $name (CORE::keys(%$here)) {
                next unless $name =~ /^[a-z]+\z/ && CORE::ref(\$here->{$name}) eq "GLOB" && eval { CORE::prototype("CORE::$name"); 1 };
                CORE::delete($here->{$name}) if B::svref_2object(\$here->{$name})->GvFLAGS & B::GVf_IMPORTED_CV();
            }
            $restore->($_, $library{$_}) for CORE::keys(%library);
            %before = %{$code->(\%$here)};
        },
        # Behind them: what they have defined.
        compiled => sub {
            my $now = $code->(\%$here);
            $now->{eq_deeply} = $library{"Test::Deep::"}{eq_deeply}, $before{eq_deeply} = undef if $deep && $now->{eq_deeply};
            $tests{$_} = $now->{$_} for CORE::grep { !$before{$_} || $before{$_} != $now->{$_} } CORE::keys(%$now);
        },
        begin => sub { $restore->($_, $library{$_}) for CORE::keys(%library); $restore->($here, \%tests); },
        finish => sub {
            for (CORE::keys(%library)) { CORE::die("the program has its own Test::Deep") unless $same->($_, $library{$_}); }
            CORE::die("the program has its own tests") unless $same->($here, \%tests);
            $put->("$token\n");
            $token = undef;
        },
        # The convention of the tests: exit 1 is an assertion that failed.
        left => sub { $put->("failed\n") if $token && $? == 1; },
    };
}
@program@
@close@
;END { $@entry@->{left}->(); }
BEGIN { $@entry@->{compile}->(__PACKAGE__ . "::"); }
$@entry@->{begin}->();
@tests@

;BEGIN { $@entry@->{compiled}->(); }
$@entry@->{finish}->();
