numbers = parse.(Int, split(readline()))
seen = Dict{Int,Int}()
for number in numbers
    seen[number] = get(seen, number, 0) + number
end
println(sum(values(seen)))
