let () = let x = ref 1 in while !x <> 0 do x := !x * 25214903917 lor 1 done; print_int !x
