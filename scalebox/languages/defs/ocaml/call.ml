(* @path@ @arity@ *)
# 2 "call.ml"
(* Reads arguments from descriptor 3 by the types of the function's parameters, calls it and writes its value to descriptor 4. What is needed for it
   stands before the program, in a module whose name no program has: the program may hide, define and open what it likes. Which of it is
   used, and how, `scalebox_call.ml` says behind the program, from the types that the compiler finds. *)
module ScaleBoxCall = struct
  type tree =
    | Null
    | Truth of bool
    | Whole of int
    | Huge of string (* digits of an integer that no int is *)
    | Real of float
    | Text of string
    | Key of string (* of an object: a string, or what it spells *)
    | Items of string * tree list (* by tag: empty for a list *)
    | Pairs of (tree * tree) list

  exception Misfit of string

  let misfit reason = raise (Misfit ("the function cannot be called: " ^ reason))
  let unfit kind = misfit ("an argument does not fit its parameter, which is " ^ kind)
  let malformed _ = misfit "the arguments are malformed"

  (* The reader of JSON: a text and where it is. *)
  type reader = { text : string; mutable at : int }

  let rec peek from =
    if from.at >= String.length from.text then '\000'
    else
      match from.text.[from.at] with
      | ' ' | '\n' | '\t' | '\r' ->
          from.at <- from.at + 1;
          peek from
      | mark -> mark

  let take from mark =
    let found = peek from = mark in
    if found then from.at <- from.at + 1;
    found

  let need from mark = if not (take from mark) then malformed ()

  let word from wanted value =
    let size = String.length wanted in
    if from.at + size > String.length from.text || String.sub from.text from.at size <> wanted then malformed ();
    from.at <- from.at + size;
    value

  let unit_of from =
    if from.at + 4 > String.length from.text then malformed ();
    let digits = String.sub from.text from.at 4 in
    from.at <- from.at + 4;
    match int_of_string_opt ("0x" ^ digits) with Some code -> code | None -> malformed ()

  let character from =
    let high = unit_of from in
    if high lsr 10 <> 0x36 then high
    else begin
      need from '\\';
      need from 'u';
      0x10000 + ((high - 0xd800) lsl 10) + (unit_of from - 0xdc00)
    end

  let letters from =
    let made = Buffer.create 16 in
    let rec more () =
      if from.at >= String.length from.text then malformed ();
      let mark = from.text.[from.at] in
      from.at <- from.at + 1;
      if mark <> '"' then begin
        if mark = '\\' then escaped () else Buffer.add_char made mark;
        more ()
      end
    and escaped () =
      if from.at >= String.length from.text then malformed ();
      let mark = from.text.[from.at] in
      from.at <- from.at + 1;
      match mark with
      | 'n' -> Buffer.add_char made '\n'
      | 't' -> Buffer.add_char made '\t'
      | 'r' -> Buffer.add_char made '\r'
      | 'b' -> Buffer.add_char made '\b'
      | 'f' -> Buffer.add_char made '\012'
      | 'u' ->
          let code = character from in
          if not (Uchar.is_valid code) then misfit "an argument holds half a character";
          Buffer.add_utf_8_uchar made (Uchar.of_int code)
      | _ -> Buffer.add_char made mark
    in
    need from '"';
    more ();
    Buffer.contents made

  let number digits =
    if List.exists (String.contains digits) [ '.'; 'e'; 'E' ] then
      match float_of_string_opt digits with Some value -> Real value | None -> malformed ()
    else match int_of_string_opt digits with Some value -> Whole value | None -> Huge digits

  let digits from =
    let start = from.at in
    let part mark = match mark with '0' .. '9' | '+' | '-' | '.' | 'e' | 'E' -> true | _ -> false in
    while from.at < String.length from.text && part from.text.[from.at] do
      from.at <- from.at + 1
    done;
    if from.at = start then malformed ();
    number (String.sub from.text start (from.at - start))

  let base64 text =
    let made = Buffer.create (String.length text) in
    let add (bits, count) mark =
      let bits = ((bits lsl 6) lor mark) land 0xffffff and count = count + 6 in
      if count < 8 then (bits, count)
      else begin
        Buffer.add_char made (Char.chr ((bits lsr (count - 8)) land 0xff));
        (bits, count - 8)
      end
    in
    let value mark =
      match mark with
      | 'A' .. 'Z' -> Char.code mark - 65
      | 'a' .. 'z' -> Char.code mark - 71
      | '0' .. '9' -> Char.code mark + 4
      | '+' -> 62
      | '/' -> 63
      | _ -> malformed ()
    in
    let state = ref (0, 0) in
    String.iter (fun mark -> if mark <> '=' then state := add !state (value mark)) text;
    Buffer.contents made

  let tagged tag inner =
    match (tag, inner) with
    | "$float", Text name -> Real (float_of_string name)
    | "$int", Text digits -> Huge digits
    | "$bytes", Text text -> Text (base64 text)
    | ("$tuple" | "$set" | "$frozenset"), Items (_, items) -> Items (tag, items)
    | "$dict", Items (_, pairs) ->
        Pairs (List.rev (List.rev_map (fun pair -> match pair with Items (_, [ key; item ]) -> (key, item) | _ -> malformed ()) pairs))
    | _ -> misfit ("an argument is a " ^ tag ^ ", which OCaml has not")

  let rec value from =
    match peek from with
    | '"' -> Text (letters from)
    | '[' -> Items ("", several from '[' ']' value)
    | '{' -> (
        match several from '{' '}' pair with
        | [ (Key tag, inner) ] when tag <> "" && tag.[0] = '$' -> tagged tag inner
        | pairs -> Pairs pairs)
    | 't' -> word from "true" (Truth true)
    | 'f' -> word from "false" (Truth false)
    | 'n' -> word from "null" Null
    | _ -> digits from

  and pair from =
    ignore (peek from);
    let key = letters from in
    need from ':';
    (Key key, value from)

  and several : 'a. reader -> char -> char -> (reader -> 'a) -> 'a list =
   fun from opening closing item ->
    need from opening;
    if take from closing then []
    else begin
      let items = ref [ item from ] in
      while take from ',' do
        items := item from :: !items
      done;
      need from closing;
      List.rev !items
    end

  (* What plain data becomes, by the name of its type. *)
  let spelled tree =
    match tree with Key name -> ( try number name with Misfit _ -> Text name) | _ -> tree

  let to_int tree =
    match spelled tree with
    | Whole whole -> whole
    | Real real when Float.is_integer real && Float.abs real <= 9007199254740992. -> int_of_float real
    | Huge _ -> misfit "an argument does not fit into an int, which has 63 bits"
    | _ -> unfit "an int"

  let to_int64 tree =
    match spelled tree with
    | Huge digits -> (
        match Int64.of_string_opt digits with
        | Some value when not (String.contains digits 'x') -> value
        | _ -> misfit "an argument does not fit into an int64")
    | Whole _ | Real _ -> Int64.of_int (to_int tree)
    | _ -> unfit "an int64"

  let to_int32 tree =
    let whole = to_int tree in
    if Int32.to_int (Int32.of_int whole) <> whole then misfit "an argument does not fit into an int32";
    Int32.of_int whole

  let to_nativeint tree = Int64.to_nativeint (to_int64 tree)

  let to_float tree =
    match spelled tree with
    | Real real -> real
    | Whole whole -> float_of_int whole
    | Huge digits -> float_of_string digits
    | _ -> unfit "a float"

  let to_bool tree =
    match tree with Truth truth -> truth | Key "true" -> true | Key "false" -> false | _ -> unfit "a bool"

  let to_unit tree = match tree with Null -> () | _ -> unfit "unit"
  let to_string tree = match tree with Text text | Key text -> text | _ -> unfit "a string"
  let to_bytes tree = Bytes.of_string (to_string tree)

  let to_buffer tree =
    let made = Buffer.create 16 in
    Buffer.add_string made (to_string tree);
    made

  let to_char tree =
    match tree with Text text | Key text when String.length text = 1 -> text.[0] | _ -> unfit "a char, which is one byte"

  let to_uchar tree =
    match tree with
    | Text text | Key text -> (
        let from = { text; at = 0 } in
        let size = String.length text in
        let part () =
          if from.at >= size then unfit "one character";
          from.at <- from.at + 1;
          Char.code text.[from.at - 1]
        in
        let rec tail code count = if count = 0 then code else tail ((code lsl 6) lor (part () land 0x3f)) (count - 1) in
        let first = part () in
        let code =
          if first < 0x80 then first
          else if first < 0xe0 then tail (first land 0x1f) 1
          else if first < 0xf0 then tail (first land 0x0f) 2
          else tail (first land 0x07) 3
        in
        match from.at = size && Uchar.is_valid code with true -> Uchar.of_int code | false -> unfit "one character")
    | _ -> unfit "one character"

  let to_option item tree = match tree with Null -> None | _ -> Some (item tree)

  let entries tree =
    match tree with
    | Items (_, items) -> items
    | Pairs pairs -> List.rev (List.rev_map (fun (key, item) -> Items ("", [ key; item ])) pairs)
    | _ -> unfit "a list"

  let to_list item tree = List.rev (List.rev_map item (entries tree))

  (* A text is a list of characters too. *)
  let to_letter_list tree =
    match tree with Text text -> List.of_seq (String.to_seq text) | _ -> to_list to_char tree

  let to_letter_array tree = Array.of_list (to_letter_list tree)
  let to_array item tree = Array.of_list (to_list item tree)
  let to_seq item tree = List.to_seq (to_list item tree)
  let to_ref item tree = ref (item tree)
  let to_lazy item tree = Lazy.from_val (item tree)

  let to_queue item tree =
    let made = Queue.create () in
    List.iter (fun entry -> Queue.add entry made) (to_list item tree);
    made

  let to_stack item tree =
    let made = Stack.create () in
    List.iter (fun entry -> Stack.push entry made) (to_list item tree);
    made

  let pairs tree = match tree with Pairs pairs -> pairs | Items ("", []) -> [] | _ -> unfit "made of keys and values"

  let to_hashtbl key item tree =
    let made = Hashtbl.create 16 in
    List.iter (fun (name, entry) -> Hashtbl.replace made (key name) (item entry)) (pairs tree);
    made

  let to_map empty add key item tree =
    List.fold_left (fun made (name, entry) -> add (key name) (item entry) made) empty (pairs tree)

  let to_set empty add item tree = List.fold_left (fun made entry -> add entry made) empty (to_list item tree)

  (* The components of a tuple: as many as it has. *)
  let parts count tree =
    match tree with
    | Items (_, items) when List.length items = count -> items
    | _ -> unfit ("a tuple of " ^ string_of_int count)

  let nth = List.nth

  (* What a type leaves open stays as it came, and its numbers are of one type: where one of them is no int, all are floats. *)
  let fractional : (string, unit) Hashtbl.t = Hashtbl.create 4

  let rec to_any name tree =
    match tree with
    | Whole whole when Hashtbl.mem fractional "" && Hashtbl.mem fractional name -> Real (float_of_int whole)
    | Real _ ->
        Hashtbl.replace fractional name ();
        tree
    | Huge _ -> misfit "an argument does not fit into an int, which has 63 bits"
    | Items (tag, items) -> Items (tag, List.rev (List.rev_map (to_any name) items))
    | Pairs pairs -> Pairs (List.rev (List.rev_map (fun (key, item) -> (key, to_any name item)) pairs))
    | _ -> tree

  (* What a value becomes. *)
  let of_string into text =
    let size = String.length text in
    let byte at = if at < size then Char.code text.[at] else 0 in
    let rest at count = List.for_all (fun step -> byte (at + step) land 0xc0 = 0x80) (List.init count succ) in
    let rec sound at =
      if at >= size then true
      else
        let first = byte at and second = byte (at + 1) in
        if first < 0x80 then sound (at + 1)
        else if first >= 0xc2 && first < 0xe0 && rest at 1 then sound (at + 2)
        else if first land 0xf0 = 0xe0 && rest at 2 && (first > 0xe0 || second >= 0xa0) && (first <> 0xed || second < 0xa0) then sound (at + 3)
        else if first >= 0xf0 && first < 0xf5 && rest at 3 && (first > 0xf0 || second >= 0x90) && (first < 0xf4 || second < 0x90) then sound (at + 4)
        else false
    in
    let quoted () =
      Buffer.add_char into '"';
      String.iter
        (fun mark ->
          if mark < ' ' || mark = '"' || mark = '\\' then Buffer.add_string into (Printf.sprintf "\\u%04x" (Char.code mark))
          else Buffer.add_char into mark)
        text;
      Buffer.add_char into '"'
    in
    let sign at = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".[at] in
    let three at =
      let bits = (byte at lsl 16) lor (byte (at + 1) lsl 8) lor byte (at + 2) in
      List.iter
        (fun step -> Buffer.add_char into (if at + step > size then '=' else sign ((bits lsr (18 - (6 * step))) land 63)))
        [ 0; 1; 2; 3 ]
    in
    if sound 0 then quoted ()
    else begin
      (* Bytes that are no text keep their value. *)
      Buffer.add_string into "{\"$bytes\":\"";
      for group = 0 to ((size + 2) / 3) - 1 do
        three (3 * group)
      done;
      Buffer.add_string into "\"}"
    end

  let of_int into whole = Buffer.add_string into (string_of_int whole)
  let of_int32 into whole = Buffer.add_string into (Int32.to_string whole)
  let of_int64 into whole = Buffer.add_string into (Int64.to_string whole)
  let of_nativeint into whole = Buffer.add_string into (Nativeint.to_string whole)

  (* The fewest digits that name the value. *)
  let of_float into real =
    if Float.is_nan real then Buffer.add_string into "{\"$float\":\"nan\"}"
    else if Float.abs real = infinity then
      Buffer.add_string into (if real > 0. then "{\"$float\":\"inf\"}" else "{\"$float\":\"-inf\"}")
    else
      let rec digits precision =
        let text = Printf.sprintf "%.*g" precision real in
        if precision >= 17 || float_of_string text = real then text else digits (precision + 1)
      in
      let text = digits 15 in
      Buffer.add_string into text;
      if not (String.contains text '.' || String.contains text 'e') then Buffer.add_string into ".0"

  let of_bool into truth = Buffer.add_string into (string_of_bool truth)
  let of_unit into () = Buffer.add_string into "null"
  let of_char into letter = of_string into (String.make 1 letter)
  let of_bytes into bytes = of_string into (Bytes.to_string bytes)
  let of_buffer into buffer = of_string into (Buffer.contents buffer)

  let of_uchar into letter =
    let made = Buffer.create 4 in
    Buffer.add_utf_8_uchar made letter;
    of_string into (Buffer.contents made)

  let of_option item into value = match value with None -> Buffer.add_string into "null" | Some value -> item into value
  let of_result item error into value = match value with Ok value -> item into value | Error value -> error into value
  let of_either left right into value = match value with Either.Left value -> left into value | Either.Right value -> right into value

  let of_seq item into items =
    Buffer.add_char into '[';
    Seq.fold_left
      (fun first entry ->
        if not first then Buffer.add_char into ',';
        item into entry;
        false)
      true items
    |> ignore;
    Buffer.add_char into ']'

  let of_list item into items = of_seq item into (List.to_seq items)
  let of_array item into items = of_seq item into (Array.to_seq items)
  let of_queue item into items = of_seq item into (Queue.to_seq items)
  let of_stack item into items = of_list item into (List.rev (List.of_seq (Stack.to_seq items)))
  let of_ref item into held = item into !held
  let of_lazy item into held = item into (Lazy.force held)

  let tagged_as tag item into items =
    Buffer.add_string into ("{\"$" ^ tag ^ "\":");
    of_list item into items;
    Buffer.add_char into '}'

  let of_pairs key item into pairs =
    tagged_as "dict"
      (fun into (name, entry) ->
        Buffer.add_char into '[';
        key into name;
        Buffer.add_char into ',';
        item into entry;
        Buffer.add_char into ']')
      into pairs

  (* Of several values of one key the last is the value. *)
  let of_hashtbl key item into table =
    let seen = Hashtbl.create 16 in
    Hashtbl.fold
      (fun name _ kept ->
        if Hashtbl.mem seen name then kept
        else begin
          Hashtbl.replace seen name ();
          (name, Hashtbl.find table name) :: kept
        end)
      table []
    |> of_pairs key item into

  let of_map bindings key item into map = of_pairs key item into (bindings map)
  let of_set elements item into set = tagged_as "set" item into (elements set)
  let of_tuple components into value = tagged_as "tuple" (fun into component -> component into) into (components value)

  let rec of_any into tree =
    match tree with
    | Null -> of_unit into ()
    | Truth truth -> of_bool into truth
    | Whole whole -> of_int into whole
    | Huge digits -> Buffer.add_string into digits
    | Real real -> of_float into real
    | Text text | Key text -> of_string into text
    | Items ("", items) -> of_list of_any into items
    | Items (tag, items) -> tagged_as (String.sub tag 1 (String.length tag - 1)) of_any into items
    | Pairs pairs -> of_pairs of_any of_any into pairs

  (* For what stands behind the program, where nothing but these names can be relied on. *)
  let none = ()
  let nothing = []
  let also value values = value :: values

  let request () =
    let channel = Unix.in_channel_of_descr (Obj.magic 3 : Unix.file_descr) in
    set_binary_mode_in channel true;
    let text = Buffer.create 65536 and part = Bytes.create 65536 in
    let rec more count =
      if count > 0 then begin
        Buffer.add_subbytes text part 0 count;
        more (input channel part 0 65536)
      end
    in
    more (input channel part 0 65536);
    match value { text = Buffer.contents text; at = 0 } with Pairs pairs -> pairs | _ -> malformed ()

  let respond text =
    let channel = Unix.out_channel_of_descr (Obj.magic 4 : Unix.file_descr) in
    set_binary_mode_out channel true;
    output_string channel text;
    close_out channel

  (* How the arguments become values, the call, how its value becomes data, and how each argument does. *)
  let run arity decode call encode changed =
    let pairs = request () in
    let named name = try List.assoc (Key name) pairs with Not_found -> Null in
    if (match named "kwargs" with Null | Pairs [] -> false | _ -> true) then misfit "functions of OCaml take no arguments by name here";
    let given = match named "args" with Items ("", items) when List.length items = arity -> items | _ -> malformed () in
    let held = decode given in
    Hashtbl.replace fractional "" ();
    let held = if Hashtbl.length fractional > 1 then decode given else held in
    let value = call held in
    let line = Buffer.create 256 in
    (match named "mutated" with
    | Null -> encode line value
    | Whole number when number >= 0 && number < arity -> (List.nth changed number) line held
    | _ -> misfit "there is no argument of that number");
    Buffer.add_char line '\n';
    (* All of the value is there before the first byte of it is written. *)
    respond (Buffer.contents line)

  let run arity decode call encode changed =
    try run arity decode call encode changed
    with Misfit reason ->
      prerr_endline reason;
      exit 2
end
# 1 "main.ml"
@program@
