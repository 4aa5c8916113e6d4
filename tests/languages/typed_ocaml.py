"""OCaml."""

from __future__ import annotations

from typing import Final

from languages.typed_rows import MANY, VALUES, Programs, Row

_EVERYTHING: Final = """
module Names = Map.Make (String)
let f ints grid (big : int64) x words truth (none : int option) (named : int list Names.t) (numbered : (int, string) Hashtbl.t) =
  Hashtbl.replace numbered 3 (Hashtbl.find numbered 3 ^ "");
  ( List.map succ ints |> List.map pred |> List.rev, Array.append grid [| [ 9 ] |], big, [ x; 1e300; 1e-9; 3.; nan; -1. /. 0. ],
    List.rev_map (fun word -> word ^ "") words, not truth, none, named, numbered )
"""

_FUNCTIONS: Final = [
    Row(
        language="ocaml",
        source="let two_sum nums target =\n  [| nums.(0); target + 0 |]\n\nlet main () = exit 3\nlet () = main ()\n",
        function="two_sum",
        args=[[1], 2],
        answer=[1, 2],
    ),
    Row(
        language="ocaml",
        source="module List = struct include List let sum = fold_left (+) 0 end\nlet f (l : int List.t) : int List.t = List.sum l :: List.rev l\n",
        args=[[1, 2]],
        answer=[3, 2, 1],
    ),
    Row(
        language="ocaml",
        source='module A = struct let f x = x ^ "a" end\nmodule Solution : sig val f : string -> string end = struct\n  (* f *)\n'
        '  let g = "s"\n  let f x = x ^ g\nend',
        args=["é"],
        answer="és",
    ),
    Row(
        language="ocaml",
        source="module Solution = struct let f x = x + 1 end",
        function="Solution().f",
        args=[1],
        answer=2,
    ),
    Row(
        language="ocaml",
        source="let f x = 0\nmodule A = struct module B = struct type t = int * bool let f ((a, b) : t) = (b, a) end end",
        function="A.B.f",
        args=[{"$tuple": [1, True]}],
        answer=[True, 1],
    ),
    Row(language="ocaml", source="module A = struct let f x = x * 2 end", args=[4], answer=8),
    Row(language="ocaml", source="let f (a, b) = a ^ string_of_int b", args=["x", 3], answer="x3"),
    Row(language="ocaml", source="let f ?(step = 2) ~by x = (x + by) * step", args=[1, 3], answer=8),
    Row(language="ocaml", source="let f () = 7", args=[], answer=7),
    Row(
        language="ocaml",
        source="module type S = sig type t = int module type T = sig end val f : t -> t end\nmodule Solution : S = struct type t = int module type T = sig end let f x = x + 1 end",
        args=[1],
        answer=2,
    ),
    Row(
        language="ocaml",
        source="module H = Hashtbl\nmodule M = Map.Make (Int)\nmodule N = M\nlet f (table : (int, int) H.t) (map : int N.t) = (table, map)",
        args=[{"1": 2}, {"$dict": [[3, 4]]}],
        answer=[{"$dict": [[1, 2]]}, {"$dict": [[3, 4]]}],
    ),
    Row(language="ocaml", source="let f = List.map (fun x -> x)", args=[[1, "a"]], answer=[1, "a"]),
    Row(language="ocaml", source="let f = 7", args=[], answer=7),
    Row(
        language="ocaml",
        source="let rec f = function 0 -> 1 | n -> n * f (n - 1)",
        args=[20],
        answer=2432902008176640000,
    ),
    Row(
        language="ocaml",
        source="let f x = [ x; min_int; max_int ]",
        args=[-(2**62)],
        answer=[-(2**62), -(2**62), 2**62 - 1],
    ),
    Row(
        language="ocaml",
        source="type 'a grid = 'a list list\ntype cell = int * char\ntype move = cell -> cell\nlet f : cell grid -> move = fun g (a, c) -> (a + List.length g, Char.uppercase_ascii c)",
        args=[[[[1, "a"]], []], [5, "b"]],
        answer=[7, "B"],
    ),
    Row(language="ocaml", source="let f xs = List.sort compare xs", args=[[3, 1.5, 10, -2]], answer=[-2, 1.5, 3, 10]),
    Row(
        language="ocaml",
        source="let f xs = List.sort_uniq compare xs",
        args=[["b", "é", "a", "b"]],
        answer=["a", "b", "é"],
    ),
    Row(
        language="ocaml",
        source="let f a b = (a = b, max a b)",
        args=[[1, [2, None]], [1, [2, None]]],
        answer=[True, [1, [2, None]]],
    ),
    Row(
        language="ocaml",
        source="let cache = ref []\nlet f x = if List.mem x !cache then [] else (cache := x :: !cache; !cache)",
        args=["a"],
        answer=["a"],
    ),
    Row(
        language="ocaml",
        source="let f a b c d = (String.make 1 a, b, Bytes.to_string c, List.to_seq d, lazy (List.rev_map Char.uppercase_ascii b), ref a)",
        args=["x", "ab", "cd", [1.0]],
        answer=["x", ["a", "b"], "cd", [1.0], ["B", "A"], "x"],
    ),
    Row(
        language="ocaml",
        source="module S = Set.Make (Int)\nmodule P = Map.Make (struct type t = int * string let compare = compare end)\n"
        "let f s pairs = (S.add 3 s, List.fold_left (fun m (k, v) -> P.add k (v +. 1.) m) P.empty pairs)",
        args=[{"$set": [5, 1]}, [[[1, "a"], 2]]],
        answer=[{"$set": [1, 3, 5]}, {"$dict": [[{"$tuple": [1, "a"]}, 3.0]]}],
    ),
    Row(
        language="ocaml",
        source="let f xs = List.map (fun (k, v) -> (k, v + 1)) xs",
        args=[{"a": 1}],
        answer=[{"$tuple": ["a", 2]}],
    ),
    Row(
        language="ocaml",
        source='let f x = if x then Ok [ 1 ] else Error "no"',
        args=[False],
        answer="no",
    ),
    Row(language="ocaml", source='let f () = "\\255a"', args=[], answer={"$bytes": "/2E="}),
    Row(
        language="ocaml",
        source="let f xs = List.map (fun x -> 1. /. x) xs",
        args=[[-0.0, 4, {"$float": "inf"}]],
        answer=[{"$float": "-inf"}, 0.25, 0.0],
    ),
    Row(language="ocaml", source="let f v k = v.(0) <- k", args=[[1, 2], 4], answer=[4, 2], mutated=0),
    Row(
        language="ocaml",
        source='let f k h = Hashtbl.add h "a" k; Hashtbl.add h "a" 9',
        args=[4, {}],
        answer={"a": 9},
        mutated=1,
    ),
    Row(language="ocaml", source="let f n = List.init n (fun i -> i) |> List.map succ", args=[3], answer=[1, 2, 3]),
]

_NAMES: Final = [
    Row(
        language="ocaml",
        source="""#!/usr/bin/env ocaml
[@@@ocaml.warnerror "+a"]
type 'a list = [] | (::) of int * 'a list
type unit = ()
type string = int
type 'a option = Some | None of 'a
module Stdlib = struct end module List = struct let nth = 1 end module Buffer = struct end module Hashtbl = struct end module Unix = struct end
exception Misfit of string
let ( + ) a b = 3 let ( ^ ) = ( + ) let ( = ) a b = false
let exit = 1 let run = 2 let also = 3 let nothing = 4 let none = 5 let scalebox_0 = 6 let held = 7
let lookup x = print_endline "{\\"$int\\":1}"; prerr_endline "x"; (x, x /. 10.)
let main (_ : string) = 3
""",
        function="lookup",
        args=[2.5],
        answer=[2.5, 0.25],
    ),
    Row(
        language="ocaml",
        source='let f x = x ^ "(*"\nlet () = print_string (f "1\\n")\nlet () = at_exit (fun () -> print_endline "bye")\n;;\nprint_endline (f "")',
        args=["a"],
        answer="a(*",
    ),
    Row(
        language="ocaml",
        source="class c = object (self) val x = 1 method f y = x + y end\nmodule type T = sig type t val f : t end\nmodule F (X : T) = struct let f = X.f end\n"
        'module rec A : sig val f : int -> int end = struct let f x = x end\nexternal g : int -> int = "%identity"\nexception E of { a : int }\n'
        "type r = { f : 'a. 'a -> 'a; mutable b : (int -> int) } and v = A of r | B : int -> v\nlet h (`A | `B) = 1\nlet k = object method m = 1 end\n"
        "let f x y = (new c)#f x + g y",
        args=[2, 3],
        answer=6,
    ),
]

_FAILURES: Final = [
    Row(language="ocaml", source="let f (x : int) = exit 0", args=[1]),
    Row(language="ocaml", source="let f x = Unix._exit (x - 1)", args=[1]),
    Row(language="ocaml", source='let f (x : int) : int = failwith "no"', args=[1]),
    Row(language="ocaml", source="let f x = [ lazy (x + 1); lazy (1 / 0) ]", args=[1]),
    Row(language="ocaml", source="let f x = x + List.hd []", args=[1]),
    Row(language="ocaml", source="let f x = x + 1\nlet () = exit 0", args=[1]),
    Row(language="ocaml", source="let f x = x + 1", args=[2**62]),
    Row(language="ocaml", source="let f (x : int64) = x", args=[2**63]),
    Row(language="ocaml", source="let f x = x + 1", args=[1.5]),
    Row(language="ocaml", source="let f x = x + 1", args=["1"]),
    Row(language="ocaml", source="let f x = x ^ x", args=[1]),
    Row(language="ocaml", source="let f x = x + 1", args=[None]),
    Row(language="ocaml", source="let f x = not x", args=[1]),
    Row(language="ocaml", source="let f x = Char.code x", args=["ab"]),
    Row(language="ocaml", source="let f (a, b) = a + b", args=[[1, 2, 3]]),
    Row(language="ocaml", source="let f x = x", args=[2**70]),
    Row(language="ocaml", source="type t = T\nlet f T = 1", args=[[1]]),
    Row(language="ocaml", source="let f x y = x + y", args=[1]),
    Row(language="ocaml", source="let f () = 1", args=[1]),
    Row(language="ocaml", source="let g x = x + 1", args=[1]),
    Row(language="ocaml", source="let f x = x + 1 (*", args=[1]),
]

_WRONG: Final = [
    Row(language="ocaml", source="let f (x : int) = string_of_int x", args=[1], answer=1),
    Row(
        language="ocaml", source="let ( = ) _ _ = true\nlet compare _ _ = 0\nlet f x = [ x + 1 ]", args=[1], answer=[1]
    ),
]

PROGRAMS: Final = Programs(
    everything=Row(language="ocaml", source=_EVERYTHING, args=MANY, answer=VALUES),
    functions=_FUNCTIONS,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)
