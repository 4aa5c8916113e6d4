defmodule Slow do
  def run(n), do: run(n + 1)
end

Slow.run(0)
