// The framework's names in a test file's world cannot be given to others, nor its matchers be replaced.
"use strict";
const fixed = new Set(Object.getOwnPropertyNames(expect(0)));
const extend = expect.extend;
expect.extend = (matchers) => {
    for (const name of Object.keys(matchers)) {
        if (fixed.has(name)) throw new Error(`${name} is the framework's own`);
    }
    extend(matchers);
};
for (const name of ["it", "test", "describe", "expect", "beforeAll", "beforeEach", "afterAll", "afterEach", "fit", "xit", "xtest", "fdescribe", "xdescribe"]) {
    const value = globalThis[name];
    if (value === undefined) continue;
    for (const key of Object.keys(value)) if (typeof value[key] === "function") Object.freeze(value[key]);
    if (name !== "expect") Object.freeze(value);
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
}
Object.freeze(expect);
// What matchers compare by.
for (const owner of [Object, Reflect, Number, Array, JSON, Symbol, Function.prototype, Object.prototype]) {
    for (const name of Object.getOwnPropertyNames(owner)) {
        const found = Object.getOwnPropertyDescriptor(owner, name);
        const shadowed = owner === Object.prototype && (name === "constructor" || name === "toString" || name === "valueOf");
        if (typeof found.value !== "function" || !found.configurable || shadowed) continue;
        Object.defineProperty(owner, name, { value: found.value, writable: false, configurable: false });
    }
}
