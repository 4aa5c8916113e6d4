# Run the test code that follows the program and prove that it came to its end. The name is one that no program can hold; the token is read
# before the program begins. What the tests are made of is R's own, whatever the program called so.
@entry@ <- base::local({
    input <- file("/dev/fd/3", "r", raw = TRUE)
    token <- readLines(input, n = 1)
    close(input)
    library <- baseenv()
    whole <- globalenv()
    names_ <- ls(library, all.names = TRUE)
    machine <- mget(c("stopifnot", "isTRUE", "isFALSE", "all.equal", "identical", "quit", "q", "if", "!", "(", "{", "c", "list", "UseMethod", "is.logical", "&&"), envir = library)
    methods_ <- grep("^all\\.equal\\.", names_, value = TRUE)
    kept <- mget(methods_, envir = library)
    registered <- library[[".__S3MethodsTable__."]]
    # Methods of the program for the comparison of the tests.
    scrub <- function() {
        for (place in list(whole, registered)) {
            own <- setdiff(grep("^all\\.equal\\.", ls(place, all.names = TRUE), value = TRUE), "@asked@")
            if (identical(place, registered)) own <- setdiff(own, known)
            rm(list = own, envir = place)
        }
    }
    known <- ls(registered, all.names = TRUE)
    equal <- function(target, current, ...) {
        force(target)
        force(current)
        scrub()
        machine$all.equal(target, current, ...)
    }
    same <- function() all(mapply(identical, mget(names(machine), envir = library), machine), mapply(identical, mget(methods_, envir = library), kept))
    list(
        begin = function() {
            if (!same()) stop("the program changes what its tests are made of")
            for (name in ls(whole, all.names = TRUE)) {
                if (bindingIsActive(as.name(name), whole)) {
                    value <- get(name, envir = whole)
                    rm(list = name, envir = whole)
                    assign(name, value, envir = whole)
                }
            }
            # Operators and keywords too; all but the function that is asked for.
            rm(list = setdiff(intersect(ls(whole, all.names = TRUE), names_), "@asked@"), envir = whole)
            for (place in setdiff(grep("^package:", search(), value = TRUE, invert = TRUE), c(".GlobalEnv", "Autoloads"))) {
                for (name in setdiff(intersect(ls(place, all.names = TRUE), names_), "@asked@")) assign(name, library[[name]], envir = whole)
            }
            if ("@asked@" != "all.equal") assign("all.equal", equal, envir = whole)
        },
        finish = function() {
            own <- setdiff(intersect(ls(whole, all.names = TRUE), names(machine)), c("@asked@", "all.equal"))
            own <- Filter(function(name) is.function(whole[[name]]) && !identical(whole[[name]], library[[name]]), own)
            if (!same() || length(own) > 0 || !("@asked@" == "all.equal" || identical(whole$all.equal, equal))) stop("the program changes what its tests are made of")
            cat(token, "\n", sep = "", file = "/dev/fd/4")
        }
    )
}, envir = base::new.env(parent = base::baseenv()))
@program@
@close@
base::`$`(@entry@, "begin")()
@tests@

base::`$`(@entry@, "finish")()
