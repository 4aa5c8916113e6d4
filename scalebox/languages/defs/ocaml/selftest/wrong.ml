let () = print_endline "6"
