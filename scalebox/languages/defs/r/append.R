@program@
@close@
# What the tests are made of is R's own, whatever the program called so: operators and keywords too. All but the function that is asked for.
base::`rm`(list = base::`setdiff`(base::`intersect`(base::`ls`(base::`globalenv`(), all.names = TRUE), base::`ls`(base::`baseenv`(), all.names = TRUE)), "@asked@"), envir = base::`globalenv`())
@tests@

base::local({
    scalebox_in <- base::file("/dev/fd/3", "r")
    base::cat(base::readLines(scalebox_in, n = 1), "\n", sep = "", file = "/dev/fd/4")
}, envir = base::new.env(parent = base::baseenv()))
