// Run the test code that follows the program and prove that it came to its end. The names are ones that no program can hold; the token is
// read before the program begins; assertions and `require` are node's own in the tests, whatever the program did to them.
// Node before 20.16 has no getBuiltinModule, and no program in it is a module.
const @entry@ = ((builtin, whole, required, process) => {
    const [fs, assert] = [builtin("fs"), builtin("assert")];
    const { readFileSync, writeSync, closeSync } = fs;
    const { AssertionError } = assert;
    const { once, listeners } = process;
    const call = Function.prototype.call.bind(Function.prototype.call);
    const includes = call.bind(null, Array.prototype.includes), own = call.bind(null, listeners);
    const token = readFileSync(3, "latin1").split("\n", 1)[0] + "\n";
    closeSync(3);
    for (const found of [assert, assert.strict]) {
        for (const name of Object.keys(found)) if (found[name] !== assert.strict) Object.freeze(found[name]);
        Object.freeze(found);
    }
    let bad = false;
    const seen = (error) => {
        bad = true;
        if (error instanceof AssertionError) writeSync(4, "failed\n");
    };
    // What nobody catches is a failure, whether or not the program listens for it.
    const rejected = (error) => { throw error; };
    process.on("uncaughtExceptionMonitor", seen);
    process.on("unhandledRejection", rejected);
    const main = process.mainModule;
    const given = (name) => (name === "assert" || name === "node:assert" ? assert : ((whole ? builtin(name) : undefined) ?? required(name)));
    return {
        require: Object.assign(given, { main }), // tests may ask whether they are started or imported
        finish: () => call(once, process, "beforeExit", () => {
            const listens = includes(own(process, "uncaughtExceptionMonitor"), seen) && includes(own(process, "unhandledRejection"), rejected);
            if (!bad && listens) writeSync(4, token);
        }),
    };
})(
    process.getBuiltinModule?.bind(process) ?? process.mainModule.require.bind(process.mainModule),
    process.getBuiltinModule !== undefined,
    (name) => require(name),
    process,
);
@program@
@close@
{
const require = @entry@.require;
@tests@
;
@entry@.finish();
}
