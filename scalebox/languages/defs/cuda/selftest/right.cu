#include <cstdio>

__global__ void add(const int *a, const int *b, int *sum) { *sum = *a + *b; }

int main() {
    int *cells;
    if (cudaMallocManaged(&cells, 3 * sizeof(int)) != cudaSuccess) return 1;
    if (scanf("%d %d", &cells[0], &cells[1]) != 2) return 1;
    add<<<1, 1>>>(&cells[0], &cells[1], &cells[2]);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%d\n", cells[2]);
}
