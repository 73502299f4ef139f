import { writeFileSync } from "node:fs";
import { CLIENT_TYPES_FILE, writeClientTypes } from "@/scripts/client-types";

/** `npm run generate:clients`: writes the generated part of the TypeScript client, after a change of the API. */
writeFileSync(CLIENT_TYPES_FILE, await writeClientTypes());
