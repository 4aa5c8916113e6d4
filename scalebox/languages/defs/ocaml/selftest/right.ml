let () =
  let words = Str.split (Str.regexp "[ \t]+") (input_line stdin) in
  let seen = Hashtbl.create 8 in
  List.iter (fun word -> Hashtbl.replace seen word (int_of_string word)) words;
  Printf.printf "%d\n" (Hashtbl.fold (fun _ number sum -> sum + number) seen 0)
