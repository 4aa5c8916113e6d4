// Run Jest over the test files of this folder and report what became of each test. The token is read, the files are, and the tests
// are listed by a run without the program, before anything of the program is loaded.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const assert = require("node:assert");

const [, , tools, program] = process.argv;
const { writeSync, closeSync } = fs;
const exit = process.reallyExit.bind(process);
const { parse, stringify } = JSON;
Object.freeze(assert);
Object.freeze(assert.strict);

function readToken() {
    try {
        const data = Buffer.alloc(256);
        const line = data.toString("latin1", 0, fs.readSync(3, data, 0, 256, null)).trim();
        closeSync(3);
        return /^[0-9a-f]{32}$/.test(line) ? line : "";
    } catch {
        return "";
    }
}

const token = readToken();
const root = process.cwd();
const { runCLI } = require(path.join(tools, "node_modules/jest"));

function config(listing) {
    const at = (name) => path.join(root, name);
    return stringify({
        rootDir: root,
        testEnvironment: at("scalebox_environment.cjs"),
        testMatch: ["**/*.test.?([cm])[jt]s", "**/*.spec.?([cm])[jt]s", "**/__tests__/**/*.?([cm])[jt]s"],
        transform: { "\\.[cm]?[jt]s$": [at("scalebox_transform.cjs"), { tools }] },
        setupFilesAfterEnv: [at("scalebox_setup.cjs")],
        moduleNameMapper: listing ? { [`(?:^|/)${path.parse(program).name}(?:\\.[cm]?[jt]s)?$`]: at("scalebox_stub.cjs") } : {},
        testEnvironmentOptions: { tools, listing },
        reporters: token || listing ? [] : ["default"],
        cacheDirectory: path.join(process.env.TMPDIR || "/tmp", "jest"),
        silent: Boolean(token), // else each line that is printed costs a stack trace
        watchman: false,
        haste: { forceNodeFilesystemAPI: true },
    });
}

async function run(listing) {
    const { results } = await runCLI({ config: config(listing), runInBand: true, ci: true, cache: false, passWithNoTests: false, $0: "", _: [] }, [root]);
    return results;
}

function named(results) {
    const found = new Map();
    for (const file of results.testResults) {
        const place = path.relative(root, file.testFilePath);
        for (const test of file.testResults) {
            const plain = [place, ...test.ancestorTitles, test.title].join(" > ");
            let name = plain;
            for (let number = 2; found.has(name); number++) name = `${plain}~${number}`;
            found.set(name, test);
        }
        if (file.testExecError || !file.testResults.length) {
            found.set(place, { status: "broken", failureMessages: [file.failureMessage || "it holds no test"] });
        }
    }
    return found;
}

function outcome(test) {
    if (!test) return "not_run";
    return { passed: "passed", failed: "failed", broken: "error" }[test.status] || "skipped";
}

(async () => {
    const brings = /\.(?:test|spec)\.[cm]?[jt]s$/.test(program);
    const listed = new Map();
    const marks = (globalThis[Symbol.for("scalebox.marks")] = new Map());
    const faulty = []; // files that are wrong whatever the program is
    if (!brings) {
        for (const [name, test] of named(await run(true))) {
            listed.set(name, marks.get(name) !== false);
            if (test.status === "broken" && /SyntaxError|must contain at least one test/.test(test.failureMessages[0])) faulty.push(name);
        }
    }
    delete globalThis[Symbol.for("scalebox.marks")];
    if (token) for (const [name, counts] of listed) put({ test: [name, "not_run", counts, ""] });
    lock();
    const results = await run(false);
    const found = named(results);
    const broken = [...listed.keys()].filter((name) => !name.includes(" > "));
    for (const name of broken) listed.delete(name); // a file that cannot be loaded without the program: what it says with it is all there is
    const tests = [...new Set([...listed.keys(), ...found.keys()])].map((name) => {
        const test = found.get(name);
        const said = outcome(test);
        const counts = said !== "skipped" || listed.get(name) !== false;
        return [name, said, counts, String((test && test.failureMessages && test.failureMessages[0]) || "").slice(0, 800)];
    });
    const fault = faulty.find((name) => (found.get(name) || {}).status === "broken");
    if (token) put({ token, end: fault ? "broken_test" : "finished", message: fault ? found.get(fault).failureMessages[0].slice(0, 800) : "", tests });
    exit(results.success ? 0 : 1);
})().catch((error) => {
    console.error(error);
    exit(1);
});

// A program finds its way into this world through any function of node's: what the report is made with stays as it is.
function lock() {
    const kinds = [Object, Array, String, RegExp, Map, Set, Promise, Function, Number];
    for (const owner of [...kinds, ...kinds.map((kind) => kind.prototype), JSON, Reflect]) {
        for (const name of Reflect.ownKeys(owner)) {
            const found = Object.getOwnPropertyDescriptor(owner, name);
            if (typeof found.value !== "function" || !found.configurable || ["constructor", "toString", "valueOf"].includes(name)) continue;
            Object.defineProperty(owner, name, { value: found.value, writable: false, configurable: false });
        }
    }
}

function put(tree) {
    writeSync(4, stringify(tree) + "\n");
}
