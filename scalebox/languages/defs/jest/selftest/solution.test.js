const { add } = require("./solution");

describe("add", () => {
    test.each([[2, 3, 5], [-1, 1, 0]])("%i and %i", (a, b, total) => {
        expect(add(a, b)).toBe(total);
    });
});

test("nothing", () => {
    expect(add(0, 0)).toBe(0);
});
