// Run the test code that follows the program and prove that it came to its end. What the program does to node's assertions is undone before.
const scaleboxFinish = ((fs, assert) => {
    const { readFileSync, writeSync } = fs;
    const { AssertionError } = assert;
    Object.freeze(assert);
    Object.freeze(assert.strict);
    process.on("uncaughtExceptionMonitor", (error) => {
        if (error instanceof AssertionError) writeSync(4, "failed\n");
    });
    return (found) => {
        if (found !== assert) throw new Error("the program has its own node:assert");
        process.once("beforeExit", () => writeSync(4, readFileSync(3, "latin1").split("\n", 1)[0] + "\n"));
    };
})(process.getBuiltinModule("fs"), process.getBuiltinModule("assert"));
@program@
@close@
@tests@
;
scaleboxFinish(typeof require === "function" ? require("node:assert") : process.getBuiltinModule("assert"));
