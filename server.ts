import { fileURLToPath } from "node:url";
import { isApiTarget } from "@/lib/api/api-target";
import { runServer } from "@/lib/runtime/run-server";

/** Runs the server, which answers the API, and a second process in which Next renders the pages. */

// The built file (.mjs) always runs in production.
if (import.meta.url.endsWith(".mjs")) Object.assign(process.env, { NODE_ENV: "production" });

// The entry of the pages is in the same folder and has the same extension.
const pagesEntry = fileURLToPath(import.meta.url).replace(/server(\.\w+)$/, "pages-server$1");

runServer({ pagesEntry, isApiTarget });
