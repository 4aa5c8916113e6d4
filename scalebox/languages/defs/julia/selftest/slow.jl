function spin()
    x = UInt64(1)
    while x != 0
        x = x * 0x5851f42d4c957f2d | 1
    end
    x
end
println(spin())
