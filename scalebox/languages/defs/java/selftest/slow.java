class Slow {
    public static void main(String[] args) {
        long x = 1;
        while (x != 0) x = x * 6364136223846793005L | 1;
        System.out.println(x);
    }
}
