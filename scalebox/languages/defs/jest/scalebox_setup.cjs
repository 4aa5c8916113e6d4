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
// What matchers ask is decided by the values that they are given: none that says itself whether it is equal is the program's to give.
const held = Object.getOwnPropertyDescriptor;
const symbols = Object.getOwnPropertySymbols;
const keysOf = Reflect.ownKeys;
const MOST = 100000;
function refuse(value, seen) {
    if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value) || seen.size > MOST) return;
    seen.add(value);
    if ("asymmetricMatch" in value) throw new Error("a matcher was received, which is no value");
    if (typeof value === "function") {
        if (value.mock) refuse([value.mock.calls, value.mock.results], seen);
        return;
    }
    if (ArrayBuffer.isView(value)) return;
    for (const key of keysOf(value)) {
        const found = held(value, key);
        if (found && found.enumerable) refuse("value" in found ? found.value : value[key], seen);
    }
    if (value instanceof Map || value instanceof Set) for (const one of value) refuse(one, seen);
}
const store = globalThis[Symbol.for("$$jest-matchers-object")];
for (const name of Object.keys(store.matchers)) {
    const matcher = store.matchers[name];
    const asked = function (received, ...due) {
        refuse(received, new Set());
        return matcher.call(this, received, ...due);
    };
    for (const key of keysOf(matcher)) if (typeof key === "symbol") Object.defineProperty(asked, key, held(matcher, key));
    Object.defineProperty(store.matchers, name, { value: Object.freeze(asked), writable: false, configurable: false });
}
for (const name of ["matchers", "customEqualityTesters"]) Object.defineProperty(store, name, { writable: false, configurable: false });
// Testers of equality are the test files' to add.
const files = { test: expect.getState().testPath, program: require("node:path").resolve(process.argv[3]) };
const addTesters = expect.addEqualityTesters;
const TraceError = Error;
expect.addEqualityTesters = (testers) => {
    const shown = TraceError.prepareStackTrace;
    TraceError.prepareStackTrace = undefined;
    const trace = String(new TraceError().stack);
    TraceError.prepareStackTrace = shown;
    if (!trace.includes(files.test) || trace.includes(files.program)) throw new Error("a program adds no testers of equality");
    for (const tester of testers) Object.freeze(tester);
    addTesters(testers);
};
// The framework's own state, which tests do not use, is not found by looking.
const state = symbols(globalThis).find((one) => one.description === "JEST_STATE_SYMBOL");
for (const [owner, name] of [[Object, "getOwnPropertySymbols"], [Object, "getOwnPropertyDescriptors"], [Reflect, "ownKeys"]]) {
    const original = owner[name];
    owner[name] = (target) => {
        const found = original(target);
        if (Array.isArray(found)) return found.includes(state) ? found.filter((one) => one !== state) : found;
        delete found[state];
        return found;
    };
}
Object.defineProperty(globalThis, state, { enumerable: false });
const handlers = Symbol.for("EVENT_HANDLERS");
Object.freeze(globalThis[handlers]);
Object.defineProperty(globalThis, handlers, { writable: false, configurable: false });
for (const name of ["it", "test", "describe", "expect", "beforeAll", "beforeEach", "afterAll", "afterEach", "fit", "xit", "xtest", "fdescribe", "xdescribe"]) {
    const value = globalThis[name];
    if (value === undefined) continue;
    for (const key of Object.keys(value)) if (typeof value[key] === "function") Object.freeze(value[key]);
    if (name !== "expect") Object.freeze(value);
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
}
for (const key of keysOf(expect)) {
    const found = held(expect, key);
    if (found.configurable) Object.defineProperty(expect, key, "value" in found ? { value: found.value, writable: false, configurable: false } : { configurable: false });
}
// A name stays what it is in its owner; what inherits it may have one of its own, as if it were an ordinary name.
function keep(owner, name, value) {
    if (typeof name === "symbol") return void Object.defineProperty(owner, name, { value, writable: false, configurable: false });
    const define = Object.defineProperty;
    define(owner, name, {
        get() { return value; },
        set(own) {
            if (this !== owner) define(this, name, { value: own, writable: true, enumerable: true, configurable: true });
        },
        enumerable: false,
        configurable: false,
    });
}
// What matchers, and tests themselves, compare by. Of lists only what asks them: a program may well have lists of its own kind.
const asks = new Map([
    [String.prototype, Object.getOwnPropertyNames(String.prototype)],
    [RegExp.prototype, ["test", "exec", Symbol.match, Symbol.matchAll, Symbol.replace, Symbol.search, Symbol.split]],
    [Array.prototype, ["at", "concat", "entries", "every", "filter", "find", "findIndex", "flat", "includes", "indexOf", "lastIndexOf", "some", Symbol.iterator]],
    [Map.prototype, ["get", "has", Symbol.iterator]],
    [Set.prototype, ["has", Symbol.iterator]],
]);
for (const [owner, names] of asks) {
    for (const name of names) {
        const found = held(owner, name);
        if (!found || typeof found.value !== "function" || name === "constructor" || name === "toString" || name === "valueOf") continue;
        keep(owner, name, found.value);
    }
}
for (const owner of [Object, Reflect, Number, Array, JSON, Symbol, Function.prototype, Object.prototype]) {
    for (const name of Object.getOwnPropertyNames(owner)) {
        const found = Object.getOwnPropertyDescriptor(owner, name);
        const shadowed = owner === Object.prototype && (name === "constructor" || name === "toString" || name === "valueOf");
        if (typeof found.value !== "function" || !found.configurable || shadowed) continue;
        keep(owner, name, found.value);
    }
}
