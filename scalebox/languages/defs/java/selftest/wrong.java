class Wrong {
    public static void main(String[] args) {
        System.out.println(6);
    }
}
