#lang racket
(displayln (+ (read) (read)))
