(* Says what stands behind a program whose function is called: how its arguments are made and its value is read. Arguments: the program with
   what stands before it (its first line names the function and the number of arguments), and the types that the compiler found in it, as it
   prints them. What is made is compiled with the program, so that a type misread here is an error and never another value. *)

type token = Word of string | Mark of string | End

(* A type. A label is empty where there is none. *)
type kind =
  | Open of string
  | Arrow of string * kind * kind
  | Tuple of kind list
  | Named of string list * kind list
  | Other of string
  | At of scope list * kind (* looked up there *)

and item =
  | Value of string * kind
  | Abbreviation of string * string list * kind
  | Own of string
  | Module of string * item list
  | Alias of string * string list
  | Signature of string * item list
  | Sealed of string * string (* a module by its module type *)

and scope = { prefix : string list; items : item list }

exception Refused of string

let refuse reason = raise (Refused ("the function cannot be called: " ^ reason))

let read path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

(* Words keep no number after a slash: the compiler tells types of one name apart so, and numbers from 2 on are older than the program's. *)
let tokens text =
  let size = String.length text in
  let letter mark = match mark with 'a' .. 'z' | 'A' .. 'Z' | '_' | '\'' | '0' .. '9' | '\128' .. '\255' -> true | _ -> false in
  let rec past part at = if at < size && part text.[at] then past part (at + 1) else at in
  let rec quoted at = if at >= size then size else match text.[at] with '"' -> at + 1 | '\\' -> quoted (at + 2) | _ -> quoted (at + 1) in
  let rec go at found =
    if at >= size then List.rev found
    else
      match text.[at] with
      | ' ' | '\n' | '\t' | '\r' -> go (at + 1) found
      | '"' -> go (quoted (at + 1)) (Mark "\"" :: found)
      | '-' when at + 1 < size && text.[at + 1] = '>' -> go (at + 2) (Mark "->" :: found)
      | '/' when at + 1 < size && text.[at + 1] >= '0' && text.[at + 1] <= '9' -> (
          let after = past (fun mark -> mark >= '0' && mark <= '9') (at + 1) in
          match found with
          | Word word :: before when String.sub text (at + 1) (after - at - 1) <> "1" -> go after (Word ("older " ^ word) :: before)
          | _ -> go after found)
      | mark when letter mark ->
          let after = past letter at in
          go after (Word (String.sub text at (after - at)) :: found)
      | mark -> go (at + 1) (Mark (String.make 1 mark) :: found)
  in
  go 0 []

let rest = ref []
let ahead () = match !rest with token :: _ -> token | [] -> End
let second () = match !rest with _ :: token :: _ -> token | _ -> End
let skip () = match !rest with _ :: more -> rest := more | [] -> ()
let take token = ahead () = token && (skip (); true)

let is_upper word = word <> "" && word.[0] >= 'A' && word.[0] <= 'Z'

(* To the end of what a bracket opened. *)
let rec balanced depth =
  match ahead () with
  | End -> ()
  | Mark ("(" | "[" | "{") | Word ("sig" | "object") ->
      skip ();
      balanced (depth + 1)
  | Mark (")" | "]" | "}") | Word "end" ->
      skip ();
      if depth > 1 then balanced (depth - 1)
  | _ ->
      skip ();
      balanced depth

(* To the next item of the signature, or the end of it. *)
let rec past_item () =
  match ahead () with
  | End | Word ("val" | "external" | "type" | "and" | "exception" | "module" | "class" | "end") -> ()
  | Mark ("(" | "[" | "{") | Word ("sig" | "object") ->
      skip ();
      balanced 1;
      past_item ()
  | _ ->
      skip ();
      past_item ()

let rec path () =
  match ahead () with
  | Word word ->
      skip ();
      if ahead () = Mark "(" && is_upper word then begin
        skip ();
        balanced 1;
        (word ^ "(…)") :: (if take (Mark ".") then path () else [])
      end
      else word :: (if is_upper word && take (Mark ".") then path () else [])
  | _ -> []

let rec kind () =
  match (ahead (), second ()) with
  | Mark "?", _ ->
      skip ();
      labelled "?"
  | Word word, Mark ":" when not (is_upper word) -> labelled "~"
  | _ -> arrow "" (product ())

and labelled sign =
  let name = match ahead () with Word word -> word | _ -> "" in
  skip ();
  skip ();
  arrow (sign ^ name) (product ())

and arrow label left =
  if take (Mark "->") then Arrow (label, left, kind ())
  else if take (Word "as") then begin
    skip ();
    skip ();
    Other "a recursive type"
  end
  else left

and product () =
  let first = applied () in
  if ahead () <> Mark "*" then first
  else
    let rec more () = if take (Mark "*") then let next = applied () in next :: more () else [] in
    Tuple (first :: more ())

and applied () =
  let rec postfix args =
    match ahead () with
    | Word word when word <> "as" && not (List.mem word [ "val"; "external"; "type"; "and"; "exception"; "module"; "class"; "end"; "constraint" ]) ->
        postfix [ Named (path (), args) ]
    | _ -> ( match args with [ one ] -> one | _ -> Other "an unknown type")
  in
  postfix (simple ())

(* What stands before the names of type constructors: nothing, one type, or several in parentheses. *)
and simple () =
  match ahead () with
  | Word word when word.[0] = '\'' ->
      skip ();
      [ Open word ]
  | Mark "(" when second () = Word "module" ->
      skip ();
      balanced 1;
      [ Other "a module" ]
  | Mark "(" ->
      skip ();
      let rec several () =
        let one = kind () in
        if take (Mark ",") then one :: several () else [ one ]
      in
      let found = several () in
      ignore (take (Mark ")"));
      found
  | Mark "[" ->
      skip ();
      balanced 1;
      [ Other "a polymorphic variant" ]
  | Mark "<" ->
      let rec closing () = if ahead () <> End && not (take (Mark ">")) then (skip (); closing ()) in
      closing ();
      [ Other "an object" ]
  | Mark "#" ->
      skip ();
      ignore (path ());
      [ Other "an object" ]
  | _ -> []

let parameters () =
  let name () =
    let rec sign () = match ahead () with Mark ("+" | "-" | "!") -> skip (); sign () | _ -> () in
    sign ();
    match ahead () with Word word -> skip (); word | _ -> skip (); "_"
  in
  let variable token = match token with Word word -> word.[0] = '\'' || word = "_" | Mark ("+" | "-" | "!") -> true | _ -> false in
  if take (Mark "(") then begin
    let rec several () =
      let one = name () in
      if take (Mark ",") then one :: several () else [ one ]
    in
    let found = several () in
    ignore (take (Mark ")"));
    found
  end
  else if variable (ahead ()) then [ name () ]
  else []

let word () =
  match ahead () with
  | Word word -> skip (); word
  | _ -> ""

let declared () =
  let names = parameters () in
  let name = word () in
  let found =
    if not (take (Mark "=")) then Own name
    else
      match (ahead (), second ()) with
      | Mark ("{" | "|" | "."), _ | Word "private", _ -> Own name
      | Word upper, next when is_upper upper && next <> Mark "." && next <> Mark "(" -> Own name
      | _ ->
          (* Also of a type that repeats the constructors of another, as one of an included module does. *)
          Abbreviation (name, names, kind ())
  in
  past_item ();
  found

(* The items to the end of a signature. `and` goes on with what went before. *)
let rec items before =
  match (ahead (), second ()) with
  | End, _ -> []
  | Word "end", _ ->
      skip ();
      []
  | Word ("val" | "external"), Word _ ->
      skip ();
      let name = word () in
      skip ();
      let meant = kind () in
      past_item ();
      let found = Value (name, meant) in
      found :: items "val"
  | Word "type", _ ->
      skip ();
      let found = declared () in
      found :: items "type"
  | Word "and", _ when before = "type" ->
      skip ();
      let found = declared () in
      found :: items "type"
  | Word "module", Word name when name <> "type" ->
      skip ();
      ignore (take (Word "rec"));
      let found = held (word ()) in
      past_item ();
      found @ items "module"
  | Word "module", _ ->
      skip ();
      skip ();
      let name = word () in
      let found = if take (Mark "=") && take (Word "sig") then [ Signature (name, items "") ] else [] in
      past_item ();
      found @ items "module"
  | _ ->
      skip ();
      past_item ();
      items "other"

and held name =
  match (ahead (), second ()) with
  | Mark ":", Word "sig" ->
      skip ();
      skip ();
      [ Module (name, items "") ]
  | Mark ":", Word meant when is_upper meant ->
      skip ();
      skip ();
      if ahead () = Mark "." || ahead () = Word "with" then [] else [ Sealed (name, meant) ]
  | Mark "=", Word _ ->
      skip ();
      [ Alias (name, path ()) ]
  | _ -> []

let rec spell kind =
  let around kind = match kind with Arrow _ | Tuple _ -> "(" ^ spell kind ^ ")" | _ -> spell kind in
  match kind with
  | Open name -> name
  | At (_, kind) -> spell kind
  | Arrow (label, left, right) -> Printf.sprintf "%s%s -> %s" (if label = "" then "" else label ^ ":") (around left) (spell right)
  | Tuple kinds -> String.concat " * " (List.map around kinds)
  | Named (path, []) -> String.concat "." path
  | Named (path, [ one ]) -> around one ^ " " ^ String.concat "." path
  | Named (path, several) -> "(" ^ String.concat ", " (List.map spell several) ^ ") " ^ String.concat "." path
  | Other what -> what

(* Where a module is found by name, from inside to outside, and where a type is. *)
let signature_in scopes name =
  let held item = match item with Signature (own, items) when own = name -> Some items | _ -> None in
  List.find_map (fun scope -> List.find_map held (List.rev scope.items)) scopes

let rec module_in scopes name =
  match scopes with
  | [] -> None
  | scope :: outer -> (
      let same item = match item with Module (own, _) | Alias (own, _) | Sealed (own, _) -> own = name | _ -> false in
      let here items = `Here ({ prefix = scope.prefix @ [ name ]; items } :: scopes) in
      match List.find_opt same (List.rev scope.items) with
      | Some (Module (_, items)) -> Some (here items)
      | Some (Sealed (_, meant)) -> Option.map here (signature_in scopes meant)
      | Some (Alias (_, target)) -> Some (`Called (scopes, target))
      | _ -> module_in outer name)

let rec type_in scopes path =
  match (scopes, path) with
  | [], _ | _, [] -> `Library path
  | scope :: outer, [ name ] -> (
      let same item = match item with Abbreviation (own, _, _) | Own own -> own = name | _ -> false in
      match List.find_opt same (List.rev scope.items) with
      | Some item -> `Program (scopes, item)
      | None -> type_in outer path)
  | _, name :: inside -> (
      match module_in scopes name with
      | None -> `Library path
      | Some (`Here scopes) -> type_in scopes inside
      | Some (`Called (scopes, target)) when target <> [ name ] -> type_in scopes (target @ inside)
      | Some (`Called (_, target)) -> `Library (target @ inside))

let rec substituted scopes names args kind =
  let again = substituted scopes names args in
  match kind with
  | Open name -> (
      match List.assoc_opt name (List.combine names args) with Some arg -> At (scopes, arg) | None -> kind)
  | Arrow (label, left, right) -> Arrow (label, again left, again right)
  | Tuple kinds -> Tuple (List.map again kinds)
  | Named (path, kinds) -> Named (path, List.map again kinds)
  | At _ | Other _ -> kind

let stripped word =
  if String.length word > 6 && String.sub word 0 6 = "older " then String.sub word 6 (String.length word - 6) else word

(* Whether a module is a map or a set by what it has, as those have that `Map.Make` and `Set.Make` made. *)
let made_by scopes =
  let has name =
    List.exists (fun item -> match item with Value (own, _) | Abbreviation (own, _, _) -> own = name | _ -> false) (List.hd scopes).items
  in
  if not (has "empty" && has "add") then None
  else if has "key" && has "bindings" then Some "Map"
  else if has "elt" && has "elements" then Some "Set"
  else None

(* A type without the abbreviation in its head: a type of the library has its name there, a map or a set what it is. *)
let rec head scopes kind =
  match kind with
  | At (scopes, kind) -> head scopes kind
  | Named (path, _) when List.exists (fun word -> stripped word <> word) path -> (scopes, kind, `Library (List.map stripped path))
  | Named (path, args) -> (
      match type_in scopes path with
      | `Library path -> (scopes, kind, `Library path)
      | `Program (inner, (Own "t" | Abbreviation ("t", _, Named ([ _; "Make(…)"; "t" ], _)))) when made_by inner <> None ->
          (inner, Named (path, List.map (fun arg -> At (scopes, arg)) args), `Made (Option.get (made_by inner)))
      | `Program (inner, Abbreviation (_, names, meant)) when List.length names = List.length args -> head inner (substituted scopes names args meant)
      | `Program _ -> (scopes, kind, `Own))
  | _ -> (scopes, kind, `Plain)

exception Unknown of string

let unknown what = raise (Unknown what)

(* What the library's types are called in what stands before the program; the types in them come first. *)
let library path =
  match String.concat "." (match path with "Stdlib" :: inside -> inside | _ -> path) with
  | "int" | "Int.t" -> ("int", 0)
  | "float" | "Float.t" -> ("float", 0)
  | "bool" | "Bool.t" -> ("bool", 0)
  | "char" | "Char.t" -> ("char", 0)
  | "string" | "String.t" -> ("string", 0)
  | "bytes" | "Bytes.t" -> ("bytes", 0)
  | "unit" | "Unit.t" -> ("unit", 0)
  | "int32" | "Int32.t" -> ("int32", 0)
  | "int64" | "Int64.t" -> ("int64", 0)
  | "nativeint" | "Nativeint.t" -> ("nativeint", 0)
  | "Uchar.t" -> ("uchar", 0)
  | "Buffer.t" -> ("buffer", 0)
  | "list" | "List.t" -> ("list", 1)
  | "array" | "Array.t" -> ("array", 1)
  | "option" | "Option.t" -> ("option", 1)
  | "ref" -> ("ref", 1)
  | "Seq.t" -> ("seq", 1)
  | "Queue.t" -> ("queue", 1)
  | "Stack.t" -> ("stack", 1)
  | "lazy_t" | "Lazy.t" | "CamlinternalLazy.t" -> ("lazy", 1)
  | "Hashtbl.t" -> ("hashtbl", 2)
  | "result" | "Result.t" -> ("result", 2)
  | "Either.t" -> ("either", 2)
  | name -> unknown name

let applied_to name parts = "(" ^ String.concat " " (("ScaleBoxCall." ^ name) :: parts) ^ ")"
let variables count = List.init count (Printf.sprintf "scalebox_%d")
let tuple parts = "(" ^ String.concat ", " parts ^ ")"

let rec also items = match items with [] -> "ScaleBoxCall.nothing" | item :: more -> applied_to "also" [ item; also more ]

(* How one component after the other is read from a list. *)
let components decoders =
  tuple (List.mapi (fun at decoder -> Printf.sprintf "%s (ScaleBoxCall.nth scalebox_given %d)" decoder at) decoders)

let functions_of scopes made =
  let scope = List.hd scopes in
  let inside name = String.concat "." (scope.prefix @ [ name ]) in
  match made with
  | "Map" -> ([ inside "empty"; inside "add" ], [ inside "bindings" ], [ Named ([ "key" ], []) ])
  | _ -> ([ inside "empty"; inside "add" ], [ inside "elements" ], [ Named ([ "elt" ], []) ])

let is_char scopes kind = match head scopes kind with _, _, `Library path -> (try library path = ("char", 0) with Unknown _ -> false) | _ -> false

let rec decoder scopes kind =
  match head scopes kind with
  | _, Open name, _ -> applied_to "to_any" [ Printf.sprintf "%S" name ]
  | scopes, Tuple kinds, _ ->
      Printf.sprintf "(fun scalebox_given -> let scalebox_given = ScaleBoxCall.parts %d scalebox_given in %s)" (List.length kinds)
        (components (List.map (decoder scopes) kinds))
  | _, Arrow _, _ -> unknown "a function"
  | _, Other what, _ -> unknown what
  | _, kind, `Own -> unknown (spell kind ^ ", a type of the program's own")
  | scopes, Named (_, args), `Made made ->
      let making, _, first = functions_of scopes made in
      applied_to ("to_" ^ String.lowercase_ascii made) (making @ List.map (decoder scopes) (first @ args))
  | scopes, Named (_, args), `Library path -> (
      match (library path, args) with
      | (("result" | "either") as name, _), _ -> unknown name
      | (("list" | "array") as name, _), [ one ] when is_char scopes one -> "ScaleBoxCall.to_letter_" ^ name
      | (name, 0), [] -> "ScaleBoxCall.to_" ^ name
      | (name, count), args when count = List.length args -> applied_to ("to_" ^ name) (List.map (decoder scopes) args)
      | _ -> unknown (spell kind))
  | _ -> unknown (spell kind)

let rec encoder scopes kind =
  match head scopes kind with
  | _, Open _, _ -> "ScaleBoxCall.of_any"
  | scopes, Tuple kinds, _ ->
      let names = variables (List.length kinds) in
      let parts = List.map2 (fun kind name -> Printf.sprintf "(fun scalebox_into -> %s scalebox_into %s)" (encoder scopes kind) name) kinds names in
      Printf.sprintf "(ScaleBoxCall.of_tuple (fun %s -> %s))" (tuple names) (also parts)
  | _, Arrow _, _ -> unknown "a function"
  | _, Other what, _ -> unknown what
  | _, kind, `Own -> unknown (spell kind ^ ", a type of the program's own")
  | scopes, Named (_, args), `Made made ->
      let _, reading, first = functions_of scopes made in
      applied_to ("of_" ^ String.lowercase_ascii made) (reading @ List.map (encoder scopes) (first @ args))
  | scopes, Named (_, args), `Library path -> (
      match (library path, args) with
      | (name, 0), [] -> "ScaleBoxCall.of_" ^ name
      | (name, count), args when count = List.length args -> applied_to ("of_" ^ name) (List.map (encoder scopes) args)
      | _ -> unknown (spell kind))
  | _ -> unknown (spell kind)

let possible =
  "; plain data is int, float, bool, char, string, bytes, unit, int32, int64, and list, array, option, ref, Seq, Queue, Stack, Hashtbl, Map, Set and tuples of such"

(* The function by its name: at the top, else in the module `Solution`, else in the first that has it. *)
let function_in scopes path =
  let value name scope = List.find_map (fun item -> match item with Value (own, kind) when own = name -> Some kind | _ -> None) (List.rev scope.items) in
  let rec inside scopes path =
    match path with
    | [] -> None
    | [ name ] -> Option.map (fun kind -> (scopes, kind)) (value name (List.hd scopes))
    | name :: more -> ( match module_in scopes name with Some (`Here scopes) -> inside scopes more | _ -> None)
  in
  let modules = List.filter_map (fun item -> match item with (Module (name, _) | Sealed (name, _)) when name <> "ScaleBoxCall" -> Some [ name ] | _ -> None) (List.hd scopes).items in
  let tried = match path with [ name ] -> List.map (fun owner -> owner @ [ name ]) ([] :: [ "Solution" ] :: modules) | _ -> [ path ] in
  match List.find_map (fun path -> Option.map (fun (scopes, kind) -> (path, scopes, kind)) (inside scopes path)) tried with
  | Some found -> found
  | None -> refuse ("the program defines no function " ^ String.concat "." path)

(* Parameters that must be given, each with where its type is looked up, and the value's type. *)
let rec arrows scopes kind =
  match head scopes kind with
  | scopes, Arrow (label, left, right), _ ->
      let more, value = arrows scopes right in
      ((if label <> "" && label.[0] = '?' then more else (label, scopes, left) :: more), value)
  | scopes, kind, _ -> ([], (scopes, kind))

let is_unit (_, scopes, kind) = match head scopes kind with _, _, `Library [ "unit" ] -> true | _ -> false

let given_as (label, _, _) name = if label = "" then name else label ^ ":" ^ name

(* What is decoded, and how the function is given it. *)
let meeting name kind arity params =
  let names = variables arity in
  let count = List.length params in
  let spoken shown = String.concat " " (name :: shown) in
  match params with
  | _ when count = arity -> (params, spoken (List.map2 given_as params names))
  | [ (_, scopes, one) ] when arity > 1 && (match head scopes one with _, Tuple kinds, _ -> List.length kinds = arity | _ -> false) -> (
      match head scopes one with
      | scopes, Tuple kinds, _ -> (List.map (fun kind -> ("", scopes, kind)) kinds, spoken [ given_as (List.hd params) (tuple names) ])
      | _ -> refuse "its parameter is no tuple")
  | _ when count = arity + 1 && is_unit (List.nth params arity) ->
      (List.filteri (fun at _ -> at < arity) params, spoken (List.map2 given_as params (names @ [ "ScaleBoxCall.none" ])))
  | _ -> refuse (Printf.sprintf "it takes %d arguments (%s), and the case has %d" count (spell kind) arity)

let of_parameter at make (label, scopes, kind) =
  try make scopes kind
  with Unknown what ->
    refuse (Printf.sprintf "its parameter %d%s is of type %s, and no plain data becomes %s%s" (at + 1) (if label = "" then "" else " (" ^ label ^ ")") (spell kind) what possible)

let behind path arity types =
  rest := tokens types;
  let scopes = [ { prefix = []; items = items "" } ] in
  let path, inner, kind = function_in scopes path in
  let params, (within, value) = arrows inner kind in
  let params, call = meeting (String.concat "." path) kind arity params in
  let read = List.mapi (fun at param -> of_parameter at decoder param) params in
  let written = List.mapi (fun at param -> of_parameter at encoder param) params in
  let result =
    try encoder within value
    with Unknown what -> refuse (Printf.sprintf "its value is of type %s, and %s becomes no plain data%s" (spell value) what possible)
  in
  let held = if arity = 0 then "_" else tuple (variables arity) in
  let changed = List.map2 (fun write name -> Printf.sprintf "(fun scalebox_into %s -> %s scalebox_into %s)" held write name) written (variables arity) in
  Printf.sprintf ";;\n# 1 \"call.ml\"\nlet _ = ScaleBoxCall.run %d\n  (fun scalebox_given -> %s)\n  (fun %s -> %s)\n  %s\n  %s\n" arity
    (if arity = 0 then "scalebox_given" else components read)
    held call result (also changed)

let () =
  try
    let first = Scanf.sscanf (read Sys.argv.(1)) "(* %s %d" (fun path arity -> (String.split_on_char '.' path, arity)) in
    print_string (behind (fst first) (snd first) (read Sys.argv.(2)))
  with Refused reason ->
    prerr_endline reason;
    exit 2
