import { runTool } from "@/scripts/run";

/** `npm run generate`: generates the database client in prisma/generated from prisma/schema.prisma. */

// Prisma downloads a schema engine that generating does not need. Setting any program as the engine prevents that. Node
// is one that every system has, and it would refuse the engine's arguments if Prisma ran it.
const generated = await runTool("prisma", ["generate", "--no-hints"], {
  env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" },
});
process.exitCode = generated ? 0 : 1;
