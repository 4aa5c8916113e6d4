void main() { int x = "five"; }
