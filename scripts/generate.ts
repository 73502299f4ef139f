import { runTool } from "@/scripts/run";

/** `npm run generate`: the database client in prisma/generated, made from prisma/schema.prisma. */

// Prisma downloads a schema engine that generating does not need. Any other program in its place stops that; Node is
// one that every system has, and that refuses an engine's arguments should Prisma ever run it.
const generated = await runTool("prisma", ["generate", "--no-hints"], {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
});
process.exitCode = generated ? 0 : 1;
