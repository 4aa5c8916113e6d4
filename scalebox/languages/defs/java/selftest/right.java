import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.StringTokenizer;
import java.util.stream.Collectors;

public class Right {
    interface Sum { long of(List<Integer> numbers); }

    public static void main(String[] args) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        StringTokenizer words = new StringTokenizer(reader.readLine());
        List<Integer> numbers = new ArrayList<>();
        while (words.hasMoreTokens()) numbers.add(Integer.parseInt(words.nextToken()));
        Map<String, Integer> seen = new HashMap<>();
        for (int number : numbers) seen.merge("n" + number, 1, Integer::sum);
        Sum sum = all -> all.stream().mapToLong(Integer::longValue).sum();
        Scanner scanner = new Scanner(Arrays.asList(1, 2).stream().map(String::valueOf).collect(Collectors.joining(" ")));
        if (scanner.nextInt() != 1 || seen.size() != 2) throw new IllegalStateException();
        System.out.println(sum.of(numbers));
    }
}
