let () = print_int "five"
