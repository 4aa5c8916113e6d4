// The world of test files: node's. Where tests are only to be listed, none of them is run.
"use strict";
const path = require("node:path");

module.exports = (() => {
    const tools = process.argv[2];
    const { TestEnvironment } = require(path.join(tools, "node_modules/jest-environment-node"));
    return class extends TestEnvironment {
        constructor(config, context) {
            super(config, context);
            this.listing = config.projectConfig.testEnvironmentOptions.listing;
            this.place = path.relative(config.projectConfig.rootDir, context.testPath);
        }

        async handleTestEvent(event, state) {
            if (this.listing && event.name === "run_start") this.list(state.rootDescribeBlock, [this.place], false, state.hasFocusedTests);
        }

        list(block, titles, skipped, focused) {
            const marks = globalThis[Symbol.for("scalebox.marks")];
            for (const child of block.children) {
                const own = skipped || child.mode === "skip";
                if (child.type === "describeBlock") {
                    this.list(child, [...titles, child.name], own, focused);
                    continue;
                }
                const plain = [...titles, child.name].join(" > ");
                let name = plain;
                for (let number = 2; marks.has(name); number++) name = `${plain}~${number}`;
                marks.set(name, !(own || child.mode === "todo" || (focused && child.mode !== "only")));
                child.mode = "skip";
            }
        }
    };
})();
