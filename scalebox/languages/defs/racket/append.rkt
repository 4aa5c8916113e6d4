@first@
; Run the test code that follows the program and prove that it came to its end. The names are ones that no program can hold; the token is
; read before the program begins. In the tests, forms and rackunit's checks are Racket's own, whatever the program called so.
(require (prefix-in @entry@: racket/base) (prefix-in @entry@: rackunit/log) (prefix-in @entry@: (only-in rackunit current-check-around current-check-handler)))
(@entry@:define @entry@-token (@entry@:string-append (@entry@:call-with-input-file "/dev/fd/3" @entry@:read-line) "\n"))
(@entry@:define @entry@-around (@entry@:current-check-around))
(@entry@:define @entry@-handler (@entry@:current-check-handler))
(@entry@:define (@entry@-put text)
  (@entry@:call-with-output-file "/dev/fd/4" #:exists 'append
    (@entry@:lambda (out) (@entry@:write-string text out) (@entry@:void))))
@program@
@close@
(module+ main
(require (only-in racket/base #%app #%datum #%top define let let* letrec lambda if cond begin quote quasiquote unquote list cons vector hash))
(@entry@:current-check-around @entry@-around)
(@entry@:current-check-handler @entry@-handler)
@tests@

(@entry@:let ([counts (@entry@:test-log)])
  (@entry@:cond
    [(@entry@:positive? (@entry@:car counts)) (@entry@-put "failed\n") (@entry@:exit 1)]
    [(@entry@:zero? (@entry@:cdr counts)) (@entry@:eprintf "no test was run\n") (@entry@:exit 1)]
    [@entry@:else (@entry@-put @entry@-token)]))
)
