import { fileURLToPath } from "node:url";
import { isApiTarget } from "@/lib/api/api-target";
import { runServer } from "@/lib/runtime/run-server";

/**
 * Runs the server, which answers the API, and a second process in which Next renders the pages. With several API
 * processes, they answer it instead.
 */

// The built file (.mjs) always runs in production.
if (import.meta.url.endsWith(".mjs")) Object.assign(process.env, { NODE_ENV: "production" });

// The entries of the other processes are in the same folder and have the same extension.
const findEntry = (name: string) => fileURLToPath(import.meta.url).replace(/server(\.\w+)$/, `${name}$1`);

runServer({ pagesEntry: findEntry("pages-server"), apiEntry: findEntry("api-server"), isApiTarget });
