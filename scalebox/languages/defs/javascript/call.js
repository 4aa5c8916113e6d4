// Decode the arguments from descriptor 3, call the function that follows and write its value to descriptor 4. Keeps its own copies of what
// the program might replace; the value is compared elsewhere.
const scaleboxCall = ((fs, process, found) => {
    const { readFileSync, writeSync } = fs;
    const { parse, stringify } = JSON;
    const { isArray, from } = Array;
    const { keys, getPrototypeOf } = Object;
    const { isInteger } = Number;
    const big = BigInt, text = String, magnitude = Math.abs, bytes = Buffer.from, isBuffer = Buffer.isBuffer, isView = ArrayBuffer.isView;
    const exit = process.exit.bind(process);
    const LARGEST = 1e21, DEEPEST = 200;

    const decode = (tree) => {
        if (isArray(tree)) return tree.map(decode);
        if (tree === null || typeof tree !== "object") return tree;
        const names = keys(tree);
        if (names.length === 1 && names[0][0] === "$") return tagged(names[0], tree[names[0]]);
        const made = {};
        for (const name of names) {
            const value = decode(tree[name]);
            if (name === "__proto__") Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
            else made[name] = value;
        }
        return made;
    };
    const tagged = (tag, inner) => {
        switch (tag) {
            case "$float": return inner === "nan" ? NaN : inner === "inf" ? Infinity : -Infinity;
            case "$int": return inner[0] === "-" ? -big(inner.replace(/^-(?:0x)?/, "0x")) : big(inner.replace(/^(?:0x)?/, "0x"));
            case "$bytes": return bytes(inner, "base64");
            case "$tuple": return inner.map(decode);
            case "$set": case "$frozenset": return new Set(inner.map(decode));
            case "$dict": return new Map(inner.map(([key, value]) => [decode(key), decode(value)]));
            default: throw new TypeError(`an argument is a ${tag.slice(1)}, which JavaScript has not`);
        }
    };

    const number = (value) => {
        if (value !== value) return '{"$float":"nan"}';
        if (value === Infinity || value === -Infinity) return value > 0 ? '{"$float":"inf"}' : '{"$float":"-inf"}';
        return isInteger(value) && magnitude(value) < LARGEST ? text(big(value)) : text(value);
    };
    const integer = (value) => {
        if (value < 10n ** 600n && value > -(10n ** 600n)) return text(value);
        return `{"$int":"${value < 0n ? "-" : ""}0x${(value < 0n ? -value : value).toString(16)}"}`;
    };
    const list = (values, depth) => {
        let out = "";
        for (let i = 0; i < values.length; ++i) out += (i ? "," : "") + encode(values[i], depth);
        return `[${out}]`;
    };
    const object = (value, depth) => {
        const names = keys(value);
        const plain = !(names.length === 1 && names[0][0] === "$");
        const pairs = names.map((name) => (plain ? `${stringify(name)}:` : `[${stringify(name)},`) + encode(value[name], depth) + (plain ? "" : "]"));
        return plain ? `{${pairs.join(",")}}` : `{"$dict":[${pairs.join(",")}]}`;
    };
    const encode = (value, depth) => {
        switch (typeof value) {
            case "undefined": return "null";
            case "boolean": return value ? "true" : "false";
            case "number": return number(value);
            case "bigint": return integer(value);
            case "string": return stringify(value);
            case "object": break;
            default: return `{"$opaque":"${typeof value}"}`;
        }
        if (value === null) return "null";
        if (depth === 0) throw new RangeError("the value is nested too deeply");
        if (isArray(value)) return list(value, depth - 1);
        if (isBuffer(value)) return `{"$bytes":"${value.toString("base64")}"}`;
        if (isView(value)) return list(from(value), depth - 1);
        if (value instanceof Map) return `{"$dict":${list(from(value), depth - 1)}}`;
        if (value instanceof Set) return `{"$set":${list(from(value), depth - 1)}}`;
        if (value instanceof Number || value instanceof String || value instanceof Boolean) return encode(value.valueOf(), depth - 1);
        if (value instanceof Date || value instanceof RegExp || value instanceof Promise) return '{"$opaque":"object"}';
        return object(value, depth - 1);
    };

    const put = (content) => {
        const all = bytes(content + "\n", "utf8");
        for (let at = 0; at < all.length; ) at += writeSync(4, all, at);
    };

    return (named, name) => {
        const request = parse(readFileSync(3, "utf8"));
        if (keys(request.kwargs ?? {}).length) throw new TypeError("functions of JavaScript take no arguments by name");
        const args = request.args.map(decode);
        const called = named() ?? found(name);
        if (typeof called !== "function") throw new TypeError(`the program defines no function ${name}`);
        const finish = (value) => {
            put(encode(request.mutated == null ? value : args[request.mutated], DEEPEST));
            exit(0);
        };
        const value = called(...args);
        if (value instanceof Promise) value.then(finish);
        else finish(value);
    };
})(process.getBuiltinModule ? process.getBuiltinModule("fs") : process.mainModule.require("fs"), process, (name) => {
    if (typeof module === "undefined") return undefined;
    return typeof module.exports === "function" ? module.exports : module.exports[name];
});
@prelude@
@program@
;
scaleboxCall(() => @call@, "@name@");
