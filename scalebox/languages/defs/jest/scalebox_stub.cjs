// What stands for the program where the tests are only listed: whatever is asked of it is itself.
"use strict";
const stub = new Proxy(function () {}, {
    get: (target, name) => {
        if (name === Symbol.toPrimitive) return () => "";
        if (name === Symbol.iterator) return () => [][Symbol.iterator]();
        if (name === "then" || name === "prototype") return target[name];
        return name === "__esModule" ? true : stub;
    },
    apply: () => stub,
    construct: () => stub,
});
module.exports = stub;
