import { fileURLToPath } from "node:url";
import { isApiTarget } from "@/lib/api/node-host";
import { runServer } from "@/lib/runtime/run-server";

/** The server: its own host answers the API, and Next renders the pages in a process beside it. */

// The build is JavaScript, and always runs in production.
if (import.meta.url.endsWith(".mjs")) Object.assign(process.env, { NODE_ENV: "production" });

// The pages' entry stands beside this file and is built like it.
const pagesEntry = fileURLToPath(import.meta.url).replace(/server(\.\w+)$/, "pages-server$1");

runServer({ pagesEntry, isApiTarget });
