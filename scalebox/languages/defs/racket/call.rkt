@prelude@@program@

(require (prefix-in scalebox: (combine-in racket/base racket/list racket/set racket/string json net/base64)))
(scalebox:define (scalebox-decode tree)
  (scalebox:cond
    [(scalebox:list? tree) (scalebox:map scalebox-decode tree)]
    [(scalebox:not (scalebox:hash? tree)) tree]
    [(scalebox:and (scalebox:= (scalebox:hash-count tree) 1)
                   (scalebox:string-prefix? (scalebox:symbol->string (scalebox:car (scalebox:hash-keys tree))) "$"))
     (scalebox-tagged (scalebox:car (scalebox:hash-keys tree)) (scalebox:car (scalebox:hash-values tree)))]
    [scalebox:else
     (scalebox:for/hash ([(name item) (scalebox:in-hash tree)])
       (scalebox:values (scalebox:symbol->string name) (scalebox-decode item)))]))
(scalebox:define (scalebox-tagged tag inner)
  (scalebox:case tag
    [($float) (scalebox:cond [(scalebox:equal? inner "nan") +nan.0] [(scalebox:equal? inner "inf") +inf.0] [scalebox:else -inf.0])]
    [($int) (scalebox:string->number (scalebox:string-replace inner "0x" "") 16)]
    [($bytes) (scalebox:base64-decode (scalebox:string->bytes/utf-8 inner))]
    [($tuple) (scalebox:map scalebox-decode inner)]
    [($set $frozenset) (scalebox:list->set (scalebox:map scalebox-decode inner))]
    [($dict) (scalebox:for/hash ([pair (scalebox:in-list inner)])
               (scalebox:values (scalebox-decode (scalebox:car pair)) (scalebox-decode (scalebox:cadr pair))))]
    [scalebox:else (scalebox:error "an argument is of a kind that Racket has not:" tag)]))
(scalebox:define (scalebox-list items depth)
  (scalebox:string-append "[" (scalebox:string-join (scalebox:map (scalebox:lambda (item) (scalebox-encode item depth)) items) ",") "]"))
(scalebox:define (scalebox-encode value depth)
  (scalebox:when (scalebox:zero? depth) (scalebox:error "the value is nested too deeply"))
  (scalebox:cond
    [(scalebox:boolean? value) (scalebox:if value "true" "false")]
    [(scalebox:exact-integer? value) (scalebox:number->string value)]
    [(scalebox:and (scalebox:real? value) (scalebox:exact? value)) (scalebox-encode (scalebox:exact->inexact value) depth)]
    [(scalebox:real? value)
     (scalebox:let ([number (scalebox:real->double-flonum value)])
       (scalebox:cond
         [(scalebox:not (scalebox:= number number)) "{\"$float\":\"nan\"}"]
         [(scalebox:= number +inf.0) "{\"$float\":\"inf\"}"]
         [(scalebox:= number -inf.0) "{\"$float\":\"-inf\"}"]
         [scalebox:else (scalebox:number->string number)]))]
    [(scalebox:string? value) (scalebox:jsexpr->string value)]
    [(scalebox:symbol? value) (scalebox:if (scalebox:eq? value 'null) "null" (scalebox:jsexpr->string (scalebox:symbol->string value)))]
    [(scalebox:char? value) (scalebox:jsexpr->string (scalebox:string value))]
    [(scalebox:void? value) "null"]
    [(scalebox:bytes? value)
     (scalebox:string-append "{\"$bytes\":\"" (scalebox:bytes->string/utf-8 (scalebox:base64-encode value #"")) "\"}")]
    [(scalebox:list? value) (scalebox-list value (scalebox:sub1 depth))]
    [(scalebox:vector? value) (scalebox-list (scalebox:vector->list value) (scalebox:sub1 depth))]
    [(scalebox:pair? value) (scalebox-list (scalebox:list (scalebox:car value) (scalebox:cdr value)) (scalebox:sub1 depth))]
    [(scalebox:hash? value)
     (scalebox:string-append "{\"$dict\":"
       (scalebox-list (scalebox:hash-map value scalebox:list) (scalebox:sub1 depth)) "}")]
    [(scalebox:generic-set? value)
     (scalebox:string-append "{\"$set\":" (scalebox-list (scalebox:set->list value) (scalebox:sub1 depth)) "}")]
    [scalebox:else "{\"$opaque\":\"racket\"}"]))
(scalebox:let* ([request (scalebox:call-with-input-file "/dev/fd/3" scalebox:read-json)]
                [args (scalebox:map scalebox-decode (scalebox:hash-ref request 'args))]
                [mutated (scalebox:hash-ref request 'mutated)]
                [value (scalebox:apply @name@ args)])
  (scalebox:call-with-output-file "/dev/fd/4" #:exists 'append
    (scalebox:lambda (out)
      (scalebox:write-string
        (scalebox-encode (scalebox:if (scalebox:exact-integer? mutated) (scalebox:list-ref args mutated) value) 200) out)
      (scalebox:newline out))))
