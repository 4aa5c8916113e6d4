@program@

defmodule ScaleBoxHarness do
  @moduledoc false
  @deepest 200

  def value(<<c, rest::binary>>) when c in ~c" \t\r\n", do: value(rest)
  def value("\"" <> rest), do: text(rest, [])
  def value("[" <> rest), do: several(skip(rest), [])
  def value("{" <> rest), do: named(skip(rest), [])
  def value("true" <> rest), do: {true, rest}
  def value("false" <> rest), do: {false, rest}
  def value("null" <> rest), do: {nil, rest}

  def value(rest) do
    [digits] = Regex.run(~r/\A-?[0-9][-+0-9.eE]*/, rest)
    rest = binary_part(rest, byte_size(digits), byte_size(rest) - byte_size(digits))
    {number(digits), rest}
  end

  defp number(digits) do
    case Integer.parse(digits) do
      {whole, ""} -> whole
      _ -> digits |> Float.parse() |> elem(0)
    end
  end

  defp skip(<<c, rest::binary>>) when c in ~c" \t\r\n,:", do: skip(rest)
  defp skip(rest), do: rest

  defp text("\"" <> rest, parts), do: {IO.iodata_to_binary(Enum.reverse(parts)), rest}

  defp text("\\u" <> <<code::binary-size(4), rest::binary>>, parts) do
    case {String.to_integer(code, 16), rest} do
      {high, "\\u" <> <<low::binary-size(4), rest::binary>>} when high in 0xD800..0xDBFF ->
        code = 0x10000 + (high - 0xD800) * 1024 + String.to_integer(low, 16) - 0xDC00
        text(rest, [<<code::utf8>> | parts])

      {code, rest} ->
        text(rest, [<<code::utf8>> | parts])
    end
  end

  defp text(<<"\\", c, rest::binary>>, parts) do
    text(rest, [Map.get(%{?b => "\b", ?f => "\f", ?n => "\n", ?r => "\r", ?t => "\t"}, c, <<c>>) | parts])
  end

  defp text(<<c, rest::binary>>, parts), do: text(rest, [c | parts])

  defp several("]" <> rest, items), do: {Enum.reverse(items), rest}

  defp several(rest, items) do
    {item, rest} = value(rest)
    several(skip(rest), [item | items])
  end

  defp named("}" <> rest, [{"$" <> tag, inner}]), do: {tagged(tag, inner), rest}
  defp named("}" <> rest, pairs), do: {Map.new(pairs), rest}

  defp named(rest, pairs) do
    {name, rest} = value(rest)
    {item, rest} = value(skip(rest))
    named(skip(rest), [{name, item} | pairs])
  end

  defp tagged("bytes", inner), do: Base.decode64!(inner)
  defp tagged("int", inner), do: inner |> String.replace("0x", "") |> String.to_integer(16)
  defp tagged("tuple", inner), do: List.to_tuple(inner)
  defp tagged(tag, inner) when tag in ["set", "frozenset"], do: MapSet.new(inner)
  defp tagged("dict", inner), do: Map.new(inner, fn [key, item] -> {key, item} end)
  defp tagged(tag, _), do: raise(ArgumentError, "an argument is a #{tag}, which Elixir has not")

  def encode(value, depth \\ @deepest)
  def encode(_, 0), do: raise(ArgumentError, "the value is nested too deeply")
  def encode(nil, _), do: "null"
  def encode(value, _) when is_boolean(value), do: Atom.to_string(value)
  def encode(value, _) when is_atom(value), do: quoted(Atom.to_string(value))
  def encode(value, _) when is_integer(value), do: Integer.to_string(value)
  def encode(value, _) when is_float(value), do: Float.to_string(value)

  def encode(value, _) when is_binary(value) do
    if String.valid?(value), do: quoted(value), else: ["{\"$bytes\":\"", Base.encode64(value), "\"}"]
  end

  def encode(value, depth) when is_list(value), do: list(value, depth - 1)
  def encode(value, depth) when is_tuple(value), do: ["{\"$tuple\":", list(Tuple.to_list(value), depth - 1), "}"]
  def encode(%MapSet{} = value, depth), do: ["{\"$set\":", list(MapSet.to_list(value), depth - 1), "}"]
  def encode(%Range{} = value, depth), do: list(Enum.to_list(value), depth - 1)
  def encode(%_{}, _), do: "{\"$opaque\":\"struct\"}"

  def encode(value, depth) when is_map(value) do
    keys = Map.keys(value)
    strings = Enum.all?(keys, &(is_binary(&1) or (is_atom(&1) and &1 not in [nil, true, false])))
    names = if strings, do: Enum.map(keys, &to_string/1), else: []

    if strings and not match?(["$" <> _], names) do
      pairs = Enum.zip_with(names, Map.values(value), &[quoted(&1), ":", encode(&2, depth - 1)])
      ["{", Enum.intersperse(pairs, ","), "}"]
    else
      pairs = Enum.map(value, fn {key, item} -> ["[", encode(key, depth - 1), ",", encode(item, depth - 1), "]"] end)
      ["{\"$dict\":[", Enum.intersperse(pairs, ","), "]}"]
    end
  end

  def encode(_, _), do: "{\"$opaque\":\"elixir\"}"

  defp list(items, depth), do: ["[", items |> Enum.map(&encode(&1, depth)) |> Enum.intersperse(","), "]"]

  defp quoted(text), do: ["\"", Regex.replace(~r/[\x00-\x1f"\\\x7f]/, text, &escaped/1), "\""]

  defp escaped(<<c>>), do: "\\u" <> (c |> Integer.to_string(16) |> String.pad_leading(4, "0"))

  # The module that is named; else `Solution`, or where that has no such function the program's first that has one.
  defp home("", name, arity) do
    own = for {module, path} <- :code.all_loaded(), path in [[], :non_existing], String.starts_with?(Atom.to_string(module), "Elixir."), do: module
    able = Enum.filter([Solution | Enum.sort(own)], &(&1 != __MODULE__ and function_exported?(&1, name, arity)))
    List.first(able, Solution)
  end

  defp home(owner, _, _), do: Module.concat([owner])

  def run(owner, name) do
    {request, _} = value(File.read!("/dev/fd/3"))
    module = home(owner, name, length(request["args"]))
    if request["kwargs"] != %{}, do: raise(ArgumentError, "functions of Elixir take no arguments by name")
    if request["mutated"], do: raise(ArgumentError, "no function of Elixir changes its arguments")
    File.write!("/dev/fd/4", [encode(apply(module, name, request["args"])), "\n"])
  end
end

ScaleBoxHarness.run("@owner@", :@name@)
