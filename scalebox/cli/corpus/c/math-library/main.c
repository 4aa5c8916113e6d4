#include <math.h>
#include <stdio.h>

int main(void) {
    double x;
    if (scanf("%lf", &x) != 1) return 1;
    printf("%.6f\n", sqrt(x) + pow(x, 0.25));
    return 0;
}
