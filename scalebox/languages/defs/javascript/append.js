// Run the test code that follows the program and prove that it came to its end. What the program does to node's assertions is undone before.
// Node before 20.16 has no getBuiltinModule, and no program in it is a module.
const scaleboxFinish = ((builtin) => {
    const [fs, assert] = [builtin("fs"), builtin("assert")];
    const { readFileSync, writeSync } = fs;
    const { AssertionError } = assert;
    Object.freeze(assert);
    Object.freeze(assert.strict);
    process.on("uncaughtExceptionMonitor", (error) => {
        if (error instanceof AssertionError) writeSync(4, "failed\n");
    });
    return (found) => {
        if ((found ?? builtin("assert")) !== assert) throw new Error("the program has its own node:assert");
        process.once("beforeExit", () => writeSync(4, readFileSync(3, "latin1").split("\n", 1)[0] + "\n"));
    };
})((name) => (process.getBuiltinModule ? process.getBuiltinModule(name) : process.mainModule.require(name)));
@program@
@close@
@tests@
;
scaleboxFinish(typeof require === "function" ? require("node:assert") : undefined);
