theorem wrong : 2 + 3 = 6 := rfl
