# stdin: "żółw Ω 🎈\n"
text = input()
print(text, len(text), text.upper())
