class Syntax { public static void main(String[] args) { int x = ; } }
