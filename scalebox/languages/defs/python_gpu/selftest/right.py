import torch

numbers = torch.tensor([int(word) for word in input().split()], device="cuda")
print(int(numbers.sum()))
