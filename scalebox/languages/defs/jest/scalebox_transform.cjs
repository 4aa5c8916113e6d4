// Test files are those that were here before the program was loaded. What is TypeScript, or a module, becomes what Jest takes.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const root = process.cwd();
const kept = new Map();
(function keep(folder) {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const place = path.join(folder, entry.name);
        if (entry.isDirectory()) keep(place);
        else if (/\.[cm]?[jt]s$/.test(entry.name)) kept.set(place, fs.readFileSync(place, "utf8"));
    }
})(root);

module.exports = {
    process(text, place, { transformerConfig }) {
        const source = kept.get(place) ?? text;
        const typed = /\.[cm]?ts$/.test(place);
        if (!typed && !/^[ \t]*(?:import|export)\b/m.test(source)) return { code: source };
        const { transformSync } = require(path.join(transformerConfig.tools, "node_modules/esbuild"));
        return { code: transformSync(source, { loader: typed ? "ts" : "js", format: "cjs", target: "node18", sourcefile: path.basename(place) }).code };
    },
};
